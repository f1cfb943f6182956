//! Shapes of points.

/// Shape of the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square on its side.
    Square,
    /// A square on its corner.
    Diamond,
    /// A triangle that points up.
    TriangleUp,
    /// A triangle that points down.
    TriangleDown,
    /// A triangle that points right.
    TriangleRight,
    /// A triangle that points left.
    TriangleLeft,
    /// Two crossed diagonals.
    Cross,
    /// An upright cross.
    Plus,
    /// A star with five points.
    Star,
    /// A hexagon.
    Hexagon,
}
