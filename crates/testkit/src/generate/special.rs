//! Queries of forms that do not combine with the others: scripts, UNIQUEJOIN, table functions in the select list.

use super::Generator;
use super::scope::Scope;
use super::warehouse::Kind;

impl Generator {
    pub(super) fn special_query(&mut self) -> String {
        let relation = self.readable();
        let (from, source) = self.relation_source(&relation);
        let scope = Scope::of(source);
        let (one, other) = (self.expand("text", &scope, 1), self.expand("whole", &scope, 1));
        let alias = scope.sources[0].alias.clone();
        match self.random.below(16) {
            0 => format!("select transform({one}, {other}) using 'cat' as (a string, b int) from {from}"),
            1 => format!("from (from {from} map {one}, {other} using 'cat' as mk, mv cluster by mk) m reduce m.mk, m.mv using 'cat' as rk, rv"),
            2 => format!("select transform({one}) row format delimited fields terminated by ',' using 'sed s/a/b/' as (a) from {from}"),
            3 => "from uniquejoin preserve default.src a (a.key), preserve default.src1 b (b.key) select a.key, b.value".into(),
            4 => {
                let (call, columns) = self.table_function(&scope);
                let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
                format!("select {call} as ({}) from {from}", names.join(", "))
            }
            5 => format!("select {one}, count(*) over w, sum({other}) over w from {from} window w as (partition by {one} order by {other})"),
            6 => format!("select {one} as a, sum({other}) as b, rank() over (order by sum({other}) desc) as c from {from} group by {one}"),
            7 => "select input__file__name, key from default.srcpart where block__offset__inside__file > 0".into(),
            8 => format!("select /*+ mapjoin({alias}) */ {one} from {from} join default.src b on b.key = {one}"),
            9 => format!("select {one}, grouping__id, count(*) from {from} group by {one}, {other} grouping sets (({one}, {other}), {one})"),
            10 => format!("select {one}, (select max(key) from default.src1) as m from {from}"),
            11 => {
                let key = scope.column(Some(Kind::Text), &mut self.random);
                format!("select {other}, exists (select 1 from default.src1 s where s.key = {key}) as e from {from}")
            }
            12 => format!("select {one}, sum({other}) from {from} group by {one} having sum({other}) > (select count(*) from default.src)"),
            13 => format!("select * from (select {one} as k from {from} union all select key from default.src) u where u.k is not null"),
            14 if !self.macros.is_empty() => {
                let name = self.random.pick(&self.macros).clone();
                format!("select {name}({one}, {other}) from {from}")
            }
            _ => format!("select a.* from (select {one} as k, {other} as v from {from}) a join (select key from default.src) b on a.k = b.key order by a.k, v limit 3"),
        }
    }
}
