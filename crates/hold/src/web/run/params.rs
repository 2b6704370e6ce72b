//! The parameters of a run's page, from its address.

use holdpoint_core::Run;
use holdpoint_core::run::ObjectId;

use crate::api::patch_named;

/// The parameters of a run's page.
pub(super) struct RunPageParams {
    /// The number of the patch set, from 1; 0 if there is none. Unless one is named, it is the one that was committed,
    /// or else the last.
    pub(super) patchset: usize,
    /// Whether before and after are shown side by side.
    pub(super) split: bool,
    /// The page of the diff, from 1.
    pub(super) page: usize,
    /// The row of the diff that is being commented on.
    pub(super) say: Option<usize>,
    /// The patch set to compare with, instead of the base.
    pub(super) against: Option<(ObjectId, usize)>,
}

impl RunPageParams {
    pub(super) fn read(query: &str, run: &Run) -> Self {
        let committed = run.verdict.as_ref().and_then(|verdict| run.patchset(verdict.patchset?));
        let number = committed.and_then(|patchset| usize::try_from(patchset.number()).ok());
        let patchset = number.unwrap_or(run.patchsets.len());
        let mut params = Self { patchset, split: false, page: 1, say: None, against: None };
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            match key.as_ref() {
                "patchset" => params.patchset = value.parse().unwrap_or(params.patchset),
                "view" => params.split = value == "split",
                "say" => params.say = value.parse().ok(),
                "against" => params.against = patch_named(&value).ok(),
                "page" => params.page = value.parse().unwrap_or(1).max(1),
                _ => {}
            }
        }
        params
    }

    /// Returns the address of exactly this page, even if there are more patch sets by then.
    pub(super) fn page_of(&self, run: &Run) -> String {
        let address = self.address(run);
        address.split('#').next().unwrap_or_default().to_owned()
    }

    /// Returns the address of the page with these parameters.
    pub(super) fn address(&self, run: &Run) -> String {
        let view = if self.split { "&view=split" } else { "" };
        let page = if self.page > 1 { format!("&page={}", self.page) } else { String::new() };
        let against =
            self.against.map(|(run, number)| format!("&against={run}:{number}")).unwrap_or_default();
        let (say, place) = match self.say {
            Some(say) => (format!("&say={say}"), "say-here"),
            None => (String::new(), "diff"),
        };
        format!("/runs/{}?patchset={}{view}{page}{against}{say}#{place}", run.id, self.patchset)
    }
}
