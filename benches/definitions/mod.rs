//! Definitions of tools from a seed, no two alike, so that no cache of definitions can help.

/// Words of English descriptions.
const ENGLISH: &str = "get list create update delete search the a of for with file issue branch repository message channel \
    user team project label comment pull request status name path content query filter page limit cursor returns all matching \
    optional required when true only if default value string number of results to include created before after since \
    identifier title body description whether should be sorted by date ascending order workspace permission webhook \
    deployment environment variable secret schedule cluster namespace container registry snapshot";

/// Words of descriptions in other scripts, and typographic signs.
const FOREIGN: &str = "fichier supprimé élément größe überprüfen año búsqueda файл создать список сообщение 文件を検索する \
    用户名 项目 알림 목록 — “quoted” • → … αναζήτηση مستخدم खोज";

/// Names of parameters.
const NAMES: &str = "owner repo path ref sha per_page page sort direction state labels assignee milestone since query limit \
    cursor channelId userId teamId projectKey issueNumber includeArchived startDate endDate dryRun";

/// Writes definitions one after another.
pub(crate) struct Definitions {
    seed: u64,
    /// Of eight words of a description so many are foreign.
    foreign: usize,
    english: Vec<&'static str>,
    others: Vec<&'static str>,
    names: Vec<&'static str>,
}

impl Definitions {
    pub(crate) fn new(foreign: usize) -> Self {
        let words = |text: &'static str| text.split_whitespace().collect();
        Self {
            seed: 0x9e37_79b9_7f4a_7c15,
            foreign,
            english: words(ENGLISH),
            others: words(FOREIGN),
            names: words(NAMES),
        }
    }

    /// Lines of JSON, about so many bytes.
    pub(crate) fn text(&mut self, bytes: usize) -> String {
        let mut text = String::new();
        while text.len() < bytes {
            let name = self.identifier();
            let about = self.sentence(40);
            text.push_str(&format!("{{\"description\": \"{about}\", \"name\": \"{name}\", \"parameters\": {{\"properties\": {{"));
            for at in 0..=self.below(6) {
                let comma = if at == 0 { "" } else { ", " };
                let (key, about) = (self.identifier(), self.sentence(12));
                let kind = ["string", "integer", "boolean", "number"][self.below(4)];
                let most = self.below(100_000);
                text.push_str(&format!("{comma}\"{key}\": {{\"description\": \"{about}\", \"maximum\": {most}, \"type\": \"{kind}\"}}"));
            }
            text.push_str("}, \"required\": [], \"type\": \"object\"}}\n");
        }
        text
    }

    /// A name, sometimes with letters that make no word.
    fn identifier(&mut self) -> String {
        let at = self.below(self.names.len());
        let mut name = self.names[at].to_owned();
        if self.below(3) == 0 {
            name.push('_');
            for _ in 0..=self.below(6) {
                name.push(char::from(b'a' + u8::try_from(self.below(26)).unwrap_or(0)));
            }
        }
        name
    }

    fn sentence(&mut self, most: usize) -> String {
        let mut text = String::new();
        for at in 0..3 + self.below(most) {
            let foreign = self.below(8) < self.foreign;
            let place = self.below(self.others.len() * self.english.len());
            let list = if foreign { &self.others } else { &self.english };
            let word = list[place % list.len()];
            if at == 0 && word.is_ascii() {
                text.push_str(&word[..1].to_uppercase());
                text.push_str(&word[1..]);
                continue;
            }
            text.push_str(if self.below(11) == 0 { ", " } else { " " });
            text.push_str(word);
        }
        text + "."
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or(0) % limit
    }

    /// Xorshift: the same on every machine.
    fn next(&mut self) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed
    }
}
