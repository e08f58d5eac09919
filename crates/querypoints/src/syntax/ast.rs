//! What can be written.

/// Definitions of points, each of which may refer to those before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Define(Definition),
    /// `show A: foo, record.size`
    Show {
        point: String,
        data: Vec<Expression>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub name: String,
    pub point: PointExpression,
    /// What to collect at the point.
    pub with: Vec<Expression>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PointExpression {
    /// `line Chain.java:27 [-1] if foo == null where before(P)`
    Event {
        event: EventPattern,
        index: i64,
        condition: Option<Expression>,
        constraints: Vec<Constraint>,
    },
    /// `first exception after D if … where …`
    Relative {
        pick: Pick,
        event: EventPattern,
        relation: Relation,
        point: String,
        condition: Option<Expression>,
        constraints: Vec<Constraint>,
    },
    LastChange(Expression),
    LastCondition(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    First,
    Last,
    Next,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Before,
    After,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventPattern {
    /// A step starts at `File.java:12`.
    Line(String),
    /// A method is entered.
    Call(String),
    /// A field is written.
    Change(String),
    /// An element of the array in a field is written; `None`: any.
    ElementChange { field: String, index: Option<i32> },
    /// An exception, of this class or one below it, is thrown or comes out of unrecorded code.
    Exception(Option<String>),
    /// An exception is caught.
    Caught(Option<String>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    Before(String),
    Same(Expression, Expression),
    MayAffect(String),
}

/// A Java expression, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Null,
    Boolean(bool),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Char(u16),
    Text(String),
    /// A variable, a field, a class or `this`.
    Name(String),
    /// `.owner`: what the event carries.
    Event(EventPart),
    /// `P(1):path`; no point: the one that is looked at.
    At {
        point: Option<String>,
        frame: i32,
        path: Box<Expression>,
    },
    Field(Box<Expression>, String),
    Element(Box<Expression>, Box<Expression>),
    Call(Box<Expression>, Method, Vec<Expression>),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    InstanceOf(Box<Expression>, String),
}

impl Expression {
    /// Whether there are at most so many expressions in one another.
    pub(super) fn is_within(&self, depth: u32) -> bool {
        let Some(left) = depth.checked_sub(1) else { return false };
        match self {
            Expression::At { path: of, .. }
            | Expression::Field(of, _)
            | Expression::Unary(_, of)
            | Expression::InstanceOf(of, _) => of.is_within(left),
            Expression::Element(one, other) | Expression::Binary(_, one, other) => {
                one.is_within(left) && other.is_within(left)
            }
            Expression::Call(of, _, arguments) => {
                of.is_within(left) && arguments.iter().all(|argument| argument.is_within(left))
            }
            _ => true,
        }
    }

    /// A variable, field or element: something that has a place.
    pub fn is_path(&self) -> bool {
        match self {
            Expression::Name(_) | Expression::Event(_) => true,
            Expression::At { path, .. } => path.is_path(),
            Expression::Field(of, _) | Expression::Element(of, _) => of.is_path(),
            _ => false,
        }
    }
}

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($variant,)*
        }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// As it is written.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }
    };
}

words! {
    /// What an event carries.
    EventPart {
        Owner = "owner",
        Value = "value",
        Index = "index",
        Exception = "exception",
    }
}

words! {
    /// Methods of strings and boxed values whose results are known without running them.
    Method {
        Equals = "equals",
        EqualsIgnoreCase = "equalsIgnoreCase",
        Length = "length",
        IsEmpty = "isEmpty",
        StartsWith = "startsWith",
        EndsWith = "endsWith",
        Contains = "contains",
    }
}

words! {
    Unary {
        Not = "!",
        Minus = "-",
        Plus = "+",
        Complement = "~",
    }
}

words! {
    Binary {
        Or = "||",
        And = "&&",
        BitOr = "|",
        BitXor = "^",
        BitAnd = "&",
        Equal = "==",
        NotEqual = "!=",
        LessOrEqual = "<=",
        GreaterOrEqual = ">=",
        ShiftLeft = "<<",
        ShiftRightUnsigned = ">>>",
        ShiftRight = ">>",
        Less = "<",
        Greater = ">",
        Add = "+",
        Subtract = "-",
        Multiply = "*",
        Divide = "/",
        Remainder = "%",
    }
}

impl Binary {
    /// Higher binds closer.
    pub(crate) fn level(self) -> u8 {
        match self {
            Binary::Or => 1,
            Binary::And => 2,
            Binary::BitOr => 3,
            Binary::BitXor => 4,
            Binary::BitAnd => 5,
            Binary::Equal | Binary::NotEqual => 6,
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => 7,
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightUnsigned => 8,
            Binary::Add | Binary::Subtract => 9,
            Binary::Multiply | Binary::Divide | Binary::Remainder => 10,
        }
    }
}

/// `instanceof` binds like `<`.
pub(crate) const INSTANCE_OF_LEVEL: u8 = 7;
