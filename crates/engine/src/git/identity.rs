//! The identity that git itself would give a commit: from the environment, then from its settings at any level.
//!
//! If git is not configured, it guesses from the machine's name. That guess is not an address, so nothing is returned
//! for it.

use super::GitFolder;

/// A name, if git has one, and an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) name: Option<String>,
    pub(crate) email: String,
}

/// The identities that git gives to a commit; none if it is not configured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Identities {
    pub(crate) author: Option<Identity>,
    pub(crate) committer: Option<Identity>,
}

/// The role of a person in a commit.
#[derive(Clone, Copy, Debug)]
enum IdentityRole {
    Author,
    Committer,
}

impl GitFolder {
    /// Returns the identities that git would give a commit here.
    pub(crate) async fn identities(&self) -> Identities {
        let asked = ["config", "-z", "--get-regexp", r"^(user|author|committer)\.(name|email)$"];
        let said = self.git(&asked).run().await.map(|said| said.out).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).into_owned();
        chosen(&said, |name| std::env::var(name).ok())
    }
}

/// Chooses as git does: from the environment for the role, the settings for the role, those for the user, and finally
/// for the address the mail address of the environment.
fn chosen(settings: &str, environment: impl Fn(&str) -> Option<String>) -> Identities {
    let given = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    // The last entry takes precedence.
    let set = |wanted: &str| {
        let all = settings.split('\0').filter_map(|entry| entry.split_once('\n'));
        all.rev().find(|(name, _)| *name == wanted).and_then(|(_, value)| given(value.to_owned()))
    };
    let said = |name: &str| environment(name).and_then(given);
    let of = |role: IdentityRole| {
        let (variable, section) = match role {
            IdentityRole::Author => ("GIT_AUTHOR", "author"),
            IdentityRole::Committer => ("GIT_COMMITTER", "committer"),
        };
        let part = |what: &str| {
            let own = said(&format!("{variable}_{}", what.to_ascii_uppercase()));
            own.or_else(|| set(&format!("{section}.{what}"))).or_else(|| set(&format!("user.{what}")))
        };
        let email = part("email").or_else(|| said("EMAIL"))?;
        Some(Identity { name: part("name"), email })
    };
    Identities { author: of(IdentityRole::Author), committer: of(IdentityRole::Committer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns author and committer as text.
    fn check(settings: &[(&str, &str)], environment: &[(&str, &str)]) -> String {
        let settings: Vec<String> =
            settings.iter().map(|(name, value)| format!("{name}\n{value}\0")).collect();
        let find = |name: &str| {
            environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        let words = |one: Option<Identity>| match one {
            Some(one) => format!("{} <{}>", one.name.unwrap_or_default(), one.email),
            None => "nobody".to_owned(),
        };
        let Identities { author, committer } = chosen(&settings.concat(), find);
        format!("{}, {}", words(author), words(committer))
    }

    #[test]
    fn it_is_chosen_as_git_does() {
        let user = [("user.name", "Ana"), ("user.email", "ana@x.org")];
        assert_eq!(check(&[], &[]), "nobody, nobody");
        assert_eq!(check(&user, &[]), "Ana <ana@x.org>, Ana <ana@x.org>");
        // The nearer level is listed later.
        let later = [user[0], user[1], ("user.email", "ana@work.org")];
        assert_eq!(check(&later, &[]), "Ana <ana@work.org>, Ana <ana@work.org>");
        let role = [user[0], user[1], ("author.email", "a@x.org"), ("committer.name", "C")];
        assert_eq!(check(&role, &[]), "Ana <a@x.org>, C <ana@x.org>");
        let said = [("GIT_AUTHOR_NAME", "Bo"), ("GIT_COMMITTER_EMAIL", "c@x.org"), ("EMAIL", "m@x.org")];
        assert_eq!(check(&role, &said), "Bo <a@x.org>, C <c@x.org>");
        assert_eq!(check(&[], &said), "Bo <m@x.org>,  <c@x.org>");
        assert_eq!(check(&[("user.email", " ")], &said[..1]), "nobody, nobody");
    }
}
