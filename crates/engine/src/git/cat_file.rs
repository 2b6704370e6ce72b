//! Batched queries to a repository: what names resolve to, and the bytes of some objects.

use super::{GitError, GitFolder, Kind};

/// What is queried for a name.
#[derive(Clone, Debug)]
pub(crate) enum ObjectQuery {
    /// The object that it resolves to.
    Id(String),
    /// The object and its content.
    Bytes(String),
}

/// What a name resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedObject {
    /// The object.
    pub(crate) id: String,
    /// The content, if requested.
    pub(crate) bytes: Vec<u8>,
}

impl GitFolder {
    /// Answers all queries in one call of git, in their order; none for a name that does not resolve.
    pub(crate) async fn cat_file(&self, asked: &[ObjectQuery]) -> Result<Vec<Option<NamedObject>>, GitError> {
        let mut input = String::new();
        for ask in asked {
            let (verb, name) = match ask {
                ObjectQuery::Id(name) => ("info", name),
                ObjectQuery::Bytes(name) => ("contents", name),
            };
            // A line break would begin another query, and no name has one.
            if name.contains('\n') {
                return Err(GitError::unfit(format!("{} is not a name", holdpoint_core::text::quote(name))));
            }
            input.extend([verb, " ", name, "\n"]);
        }
        let out = self.git(&["cat-file", "--batch-command"]).input(input.as_bytes()).done().await?;
        let mut rest = out.as_slice();
        asked.iter().map(|ask| answer(ask, &mut rest)).collect()
    }
}

/// Parses one answer from the output of git.
fn answer(ask: &ObjectQuery, rest: &mut &[u8]) -> Result<Option<NamedObject>, GitError> {
    let odd = || GitError::new(Kind::Broken, "git printed something unreadable".into());
    let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(odd)?;
    let (line, after) = (String::from_utf8_lossy(&rest[..end]).into_owned(), &rest[end + 1..]);
    *rest = after;
    let mut words = line.rsplitn(3, ' ');
    let (size, _, id) = (words.next(), words.next(), words.next());
    let (Some(Ok(size)), Some(id)) = (size.map(str::parse::<usize>), id) else { return Ok(None) };
    let mut bytes = Vec::new();
    if let ObjectQuery::Bytes(_) = ask {
        bytes = after.get(..size).ok_or_else(odd)?.to_vec();
        *rest = after.get(size + 1..).ok_or_else(odd)?;
    }
    Ok(Some(NamedObject { id: id.to_owned(), bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_apart_whatever_they_hold() {
        let said = b"abc commit 7\nrefs/heads/x^{commit} missing\ndef blob 8\na\nb blob\n012 tree 0\n";
        let asked = [
            ObjectQuery::Id("a".into()),
            ObjectQuery::Id("b".into()),
            ObjectQuery::Bytes("c".into()),
            ObjectQuery::Id("d".into()),
        ];
        let mut rest = said.as_slice();
        let found: Vec<_> = asked.iter().map(|ask| answer(ask, &mut rest).unwrap()).collect();
        let ids: Vec<_> = found.iter().map(|found| found.as_ref().map(|found| found.id.as_str())).collect();
        assert_eq!(ids, [Some("abc"), None, Some("def"), Some("012")]);
        assert_eq!(found[2].as_ref().unwrap().bytes, b"a\nb blob");
        assert!(answer(&asked[0], &mut rest).is_err(), "nothing is left");
        assert!(answer(&asked[2], &mut b"def blob 9\nshort\n".as_slice()).is_err());
    }
}
