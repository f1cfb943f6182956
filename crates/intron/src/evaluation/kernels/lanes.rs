//! Four numbers at a time: values of four rows, or four partial sums. Two ways, the same bits: an array, and an AVX
//! register. The compiler does not turn sums over arrays into vector instructions by itself.

/// Four numbers with their arithmetic, lane by lane.
pub(super) trait Lanes: Copy {
    fn all(value: f64) -> Self;
    fn load(rows: &[f64; N_LANES]) -> Self;
    fn to_array(self) -> [f64; N_LANES];
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// `self · factor + summand`, rounded once.
    fn times_plus(self, factor: Self, summand: Self) -> Self;
}

/// Numbers in a register.
pub(super) const N_LANES: usize = 4;

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

    #[inline(always)]
    fn times_plus(self, factor: PortableLanes, summand: PortableLanes) -> PortableLanes {
        let one = |lane: usize| self.0[lane].mul_add(factor.0[lane], summand.0[lane]);
        PortableLanes(std::array::from_fn(one))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx::AvxLanes;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx {
    use super::{Lanes, N_LANES};
    use std::arch::x86_64::{
        __m256d, _mm256_add_pd, _mm256_fmadd_pd, _mm256_loadu_pd, _mm256_mul_pd, _mm256_set1_pd,
        _mm256_storeu_pd, _mm256_sub_pd,
    };

    /// For machines with AVX2 and FMA. To be used only inside functions that are compiled for them and called where they
    /// are there: that is what makes every block below sound.
    #[derive(Clone, Copy)]
    pub(in super::super) struct AvxLanes(__m256d);

    impl Lanes for AvxLanes {
        #[inline(always)]
        fn all(value: f64) -> AvxLanes {
            // SAFETY: AVX is there, see `AvxLanes`.
            AvxLanes(unsafe { _mm256_set1_pd(value) })
        }

        #[inline(always)]
        fn load(rows: &[f64; N_LANES]) -> AvxLanes {
            // SAFETY: AVX is there; four numbers are in the array.
            AvxLanes(unsafe { _mm256_loadu_pd(rows.as_ptr()) })
        }

        #[inline(always)]
        fn to_array(self) -> [f64; N_LANES] {
            let mut rows = [0.0; N_LANES];
            // SAFETY: AVX is there; four numbers have room in the array.
            unsafe { _mm256_storeu_pd(rows.as_mut_ptr(), self.0) };
            rows
        }

        #[inline(always)]
        fn plus(self, other: AvxLanes) -> AvxLanes {
            // SAFETY: AVX is there, see `AvxLanes`.
            AvxLanes(unsafe { _mm256_add_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: AvxLanes) -> AvxLanes {
            // SAFETY: AVX is there, see `AvxLanes`.
            AvxLanes(unsafe { _mm256_sub_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, other: AvxLanes) -> AvxLanes {
            // SAFETY: AVX is there, see `AvxLanes`.
            AvxLanes(unsafe { _mm256_mul_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn times_plus(self, factor: AvxLanes, summand: AvxLanes) -> AvxLanes {
            // SAFETY: FMA is there, see `AvxLanes`.
            AvxLanes(unsafe { _mm256_fmadd_pd(self.0, factor.0, summand.0) })
        }
    }
}
