//! Where search, execution and judgement meet: the only room that runs campaigns.

pub mod store;
