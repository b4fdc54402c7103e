//! Versions of the EVM, in one table.

use super::{ConfigError, SolcRequest, read::FromNode, value::ConfigNode};
use semver::Version;
use std::fmt;

macro_rules! versions {
    ($($variant:ident = $name:literal, $since:expr;)*) => {
        /// Version of the EVM, oldest first: a hardfork, or a compiler target between two of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum EvmVersion {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl EvmVersion {
            /// All versions, oldest first.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the name in solc's spelling.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the first version of solc that can compile for it.
            const fn since(self) -> Version {
                match self { $(Self::$variant => $since,)* }
            }
        }
    };
}

versions! {
    Homestead = "homestead", Version::new(0, 0, 0);
    TangerineWhistle = "tangerineWhistle", Version::new(0, 0, 0);
    SpuriousDragon = "spuriousDragon", Version::new(0, 0, 0);
    Byzantium = "byzantium", Version::new(0, 4, 21);
    Constantinople = "constantinople", Version::new(0, 4, 22);
    Petersburg = "petersburg", Version::new(0, 5, 5);
    Istanbul = "istanbul", Version::new(0, 5, 14);
    Berlin = "berlin", Version::new(0, 8, 5);
    London = "london", Version::new(0, 8, 7);
    Paris = "paris", Version::new(0, 8, 18);
    Shanghai = "shanghai", Version::new(0, 8, 20);
    Cancun = "cancun", Version::new(0, 8, 24);
    Prague = "prague", Version::new(0, 8, 27);
    Osaka = "osaka", Version::new(0, 8, 29);
    // Forge knows this version, but no released solc supports it.
    Amsterdam = "amsterdam", Version::new(u64::MAX, 0, 0);
}

impl EvmVersion {
    /// Finds a version by its name in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|version| version.name().eq_ignore_ascii_case(name))
    }

    /// Returns true if a released compiler supports it; commands and cheatcodes take no other.
    #[must_use]
    pub fn is_released(self) -> bool {
        self < Self::Amsterdam
    }

    /// Lowers the version to the newest one that a compiler with a configured version supports, as Forge
    /// does. Compilers older than 0.4.21, which introduced the setting, leave it unchanged.
    pub(super) fn lowered_to(self, solc: &SolcRequest) -> Self {
        let SolcRequest::Version(solc) = solc else { return self };
        if *solc < Self::Byzantium.since() {
            return self;
        }
        let older = Self::ALL.iter().rev().copied().filter(|version| *version <= self);
        older.into_iter().find(|version| version.since() <= *solc).unwrap_or(self)
    }
}

impl fmt::Display for EvmVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromNode for EvmVersion {
    fn from_node(node: &ConfigNode, key: &str) -> Result<Self, ConfigError> {
        let text = node.text(key, "an EVM version")?;
        Self::named(text).ok_or_else(|| node.invalid(key, format!("Unknown evm version: {text}")))
    }
}
