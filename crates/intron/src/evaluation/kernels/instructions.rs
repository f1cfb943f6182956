//! Which instructions the kernels use. Both choices give the same bits; only the speed differs.

/// Instructions for the inner loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Instructions {
    /// The best that this machine has.
    #[default]
    Detected,
    /// What every x86-64 machine has.
    Portable,
}

impl Instructions {
    /// Whether AVX2 and FMA are wanted and there.
    #[inline]
    pub(crate) fn has_avx2(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            self == Instructions::Detected
                && std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("fma")
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            false
        }
    }
}
