//! Eight numbers at a time: values of eight rows, or eight partial sums. Two ways, the same bits: an array, and two AVX
//! registers. The compiler does not turn sums over arrays into vector instructions by itself.

/// Eight numbers with their arithmetic, lane by lane.
pub(super) trait Lanes: Copy {
    fn all(value: f64) -> Self;
    fn load(rows: &[f64; N_LANES]) -> Self;
    fn to_array(self) -> [f64; N_LANES];
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

/// Row `i` goes to lane `i mod 8`.
pub(super) const N_LANES: usize = 8;

/// For every machine.
#[derive(Clone, Copy)]
pub(super) struct PortableLanes([f64; N_LANES]);

impl Lanes for PortableLanes {
    #[inline(always)]
    fn all(value: f64) -> PortableLanes {
        PortableLanes([value; N_LANES])
    }

    #[inline(always)]
    fn load(rows: &[f64; N_LANES]) -> PortableLanes {
        PortableLanes(*rows)
    }

    #[inline(always)]
    fn to_array(self) -> [f64; N_LANES] {
        self.0
    }

    #[inline(always)]
    fn plus(self, other: PortableLanes) -> PortableLanes {
        PortableLanes(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    fn minus(self, other: PortableLanes) -> PortableLanes {
        PortableLanes(std::array::from_fn(|lane| self.0[lane] - other.0[lane]))
    }

    #[inline(always)]
    fn times(self, other: PortableLanes) -> PortableLanes {
        PortableLanes(std::array::from_fn(|lane| self.0[lane] * other.0[lane]))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx::AvxLanes;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx {
    use super::{Lanes, N_LANES};
    use std::arch::x86_64::{
        __m256d, _mm256_add_pd, _mm256_loadu_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_storeu_pd,
        _mm256_sub_pd,
    };

    /// For machines with AVX. To be used only inside functions that are compiled for it and called where it is there:
    /// that is what makes every block below sound.
    #[derive(Clone, Copy)]
    pub(in super::super) struct AvxLanes(__m256d, __m256d);

    impl Lanes for AvxLanes {
        #[inline(always)]
        fn all(value: f64) -> AvxLanes {
            // SAFETY: AVX is there, see `AvxLanes`.
            let register = unsafe { _mm256_set1_pd(value) };
            AvxLanes(register, register)
        }

        #[inline(always)]
        fn load(rows: &[f64; N_LANES]) -> AvxLanes {
            // SAFETY: AVX is there; both halves of the eight numbers are inside the array.
            unsafe {
                AvxLanes(_mm256_loadu_pd(rows.as_ptr()), _mm256_loadu_pd(rows.as_ptr().add(4)))
            }
        }

        #[inline(always)]
        fn to_array(self) -> [f64; N_LANES] {
            let mut rows = [0.0; N_LANES];
            // SAFETY: AVX is there; both halves are inside the array.
            unsafe {
                _mm256_storeu_pd(rows.as_mut_ptr(), self.0);
                _mm256_storeu_pd(rows.as_mut_ptr().add(4), self.1);
            }
            rows
        }

        #[inline(always)]
        fn plus(self, other: AvxLanes) -> AvxLanes {
            // SAFETY: AVX is there, see `AvxLanes`.
            unsafe { AvxLanes(_mm256_add_pd(self.0, other.0), _mm256_add_pd(self.1, other.1)) }
        }

        #[inline(always)]
        fn minus(self, other: AvxLanes) -> AvxLanes {
            // SAFETY: AVX is there, see `AvxLanes`.
            unsafe { AvxLanes(_mm256_sub_pd(self.0, other.0), _mm256_sub_pd(self.1, other.1)) }
        }

        #[inline(always)]
        fn times(self, other: AvxLanes) -> AvxLanes {
            // SAFETY: AVX is there, see `AvxLanes`.
            unsafe { AvxLanes(_mm256_mul_pd(self.0, other.0), _mm256_mul_pd(self.1, other.1)) }
        }
    }
}
