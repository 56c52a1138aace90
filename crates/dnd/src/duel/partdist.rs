//! Jørgensen's `partdist`: the damage that a target may have taken if it still stands.

use num_traits::{One, Zero};
use oddsmith_dice::{Dist, Weight};

use crate::Error;

/// Returns the distribution of the damage so far, given that a target with this many hit points
/// still stands. It is Ŝ = S/ΣS in F. M. Jørgensen, "How the probability code works" (2019),
/// section 4, where S is the part of `damage` below `hit_points`.
///
/// The damage after one more turn is the [`matfold`](Dist::matfold) of this and the distribution of
/// the turn.
///
/// # Errors
/// [`Error::NoHitPoints`] below 1; [`Error::Dice`] with
/// [`ImpossibleCondition`](oddsmith_dice::Error::ImpossibleCondition) if the target cannot be
/// standing.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::partdist;
///
/// let turn = Dist::ndice(2, 6)?;
/// let standing = partdist(&turn, 5)?; // 2, 3 or 4 of five hit points
/// assert_eq!(standing.p(&4).to_string(), "1/2");
/// let second = standing.matfold(&turn)?;
/// assert_eq!(second.at_least(&5).to_string(), "215/216");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn partdist<W: Weight>(damage: &Dist<i64, W>, hit_points: i64) -> Result<Dist<i64, W>, Error> {
    if hit_points < 1 {
        return Err(Error::NoHitPoints { given: hit_points });
    }
    Ok(damage.given(|&damage| damage < hit_points)?)
}

/// Returns `partdist` without its division: all damage that fells is `hit_points`, and the rest is
/// unchanged. The weight at `hit_points` is the chance to have fallen, w_1 = 1 − S_1 in Jørgensen's
/// section 4.
///
/// # Errors
/// [`Error::NoHitPoints`] below 1.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::lumped;
///
/// let turn = lumped(&Dist::ndice(2, 6)?, 5)?;
/// assert_eq!(turn.support(), [2, 3, 4, 5]);
/// assert_eq!(turn.p(&5).to_string(), "5/6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "partdist")]
pub fn lumped<W: Weight>(damage: &Dist<i64, W>, hit_points: i64) -> Result<Dist<i64, W>, Error> {
    if hit_points < 1 {
        return Err(Error::NoHitPoints { given: hit_points });
    }
    Ok(damage.map(|&damage| damage.min(hit_points)))
}

/// Returns the matrix of the first side's attack on (W, C, L), Y_n in Jørgensen's equations of
/// section 2, where w = `win` is the chance to fell the other: v_n = M_n Y_n v_{n−1}, and products
/// run from right to left.
///
/// # Examples
/// ```
/// use ndarray::array;
/// use oddsmith_dnd::first_attack_matrix;
///
/// let after = first_attack_matrix(&0.25).dot(&array![0.0, 1.0, 0.0]);
/// assert_eq!(after, array![0.25, 0.75, 0.0]);
/// ```
#[doc(alias = "Y_n")]
#[must_use]
pub fn first_attack_matrix<R>(win: &R) -> ndarray::Array2<R>
where
    R: Clone + Zero + One + std::ops::Sub<Output = R>,
{
    let mut matrix = ndarray::Array2::eye(3);
    matrix[[0, 1]] = win.clone();
    matrix[[1, 1]] = R::one() - win.clone();
    matrix
}

/// Returns the matrix of the second side's attack on (W, C, L), M_n in Jørgensen's section 2, where
/// k = `loss` is the chance to fell the first.
///
/// # Examples
/// ```
/// use ndarray::array;
/// use oddsmith_dnd::{first_attack_matrix, second_attack_matrix};
///
/// let round = second_attack_matrix(&0.5).dot(&first_attack_matrix(&0.25));
/// assert_eq!(round.dot(&array![0.0, 1.0, 0.0]), array![0.25, 0.375, 0.375]);
/// ```
#[doc(alias = "M_n")]
#[must_use]
pub fn second_attack_matrix<R>(loss: &R) -> ndarray::Array2<R>
where
    R: Clone + Zero + One + std::ops::Sub<Output = R>,
{
    let mut matrix = ndarray::Array2::eye(3);
    matrix[[2, 1]] = loss.clone();
    matrix[[1, 1]] = R::one() - loss.clone();
    matrix
}
