//! Others who have a say in decisions.

use std::sync::Arc;
use std::time::Duration;

use guardbee_engine::providers::{Deciders, ExternalProvider, Question, Votes};
use guardbee_engine::{Engine, EngineOptions, Outcome};
use guardbee_model::Name;
use guardbee_policy::{
    ActiveRoles, Change, Combiner, DecisionManager, Effect, Entry, EntryId, GrantOption, Identity, Policy,
    Principal, Privileges, Provider, Scope, Timestamp, Validity, Vote,
};

/// Votes the same on everything; or takes its time, or fails, or panics.
enum Neighbour {
    Votes(Vote),
    Late,
    Fails,
    Panics,
}

impl ExternalProvider for Neighbour {
    fn name(&self) -> Name {
        Name::fold("neighbour")
    }

    fn vote(&self, question: &Question) -> Result<Votes, String> {
        match self {
            Self::Votes(vote) => {
                Ok(Votes { votes: vec![*vote; question.requirements.len()], reason: Arc::from("because") })
            }
            Self::Late => {
                std::thread::sleep(Duration::from_millis(500));
                Err("too late".to_owned())
            }
            Self::Fails => Err("no idea".to_owned()),
            Self::Panics => panic!("broken"),
        }
    }
}

fn granted_to_ana() -> Change {
    Change::PutEntry(Entry {
        id: EntryId(1),
        effect: Effect::Grant,
        principal: Principal::user("ana"),
        except: Arc::from([]),
        privileges: Privileges::ALL,
        scope: Scope::Server,
        grant_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(0),
        validity: Validity::ALWAYS,
        purpose: None,
    })
}

/// What becomes of the statement of somebody who holds a right, and of somebody who holds none.
async fn outcomes(neighbour: Option<Neighbour>, combiner: Combiner) -> (Outcome, Outcome) {
    let mut providers = DecisionManager::default().providers;
    providers.push(Provider::External(Name::fold("neighbour")));
    let manager = DecisionManager { providers, combiner };
    let external = neighbour.into_iter().map(|neighbour| Box::new(neighbour) as Box<dyn ExternalProvider>);
    let deciders = Deciders::new(manager, external.collect()).with_time_limit(Duration::from_millis(50));
    let policy = Policy::from_changes([granted_to_ana()]).unwrap();
    let engine = Engine::new(policy, EngineOptions { deciders, ..EngineOptions::default() });
    assert!(engine.define("CREATE TABLE t (i INT)").await.unwrap().is_empty());
    let check = |user: &str| {
        let identity = Identity { roles: ActiveRoles::All, ..Identity::of_user(user) };
        engine.session(identity).check("SELECT i FROM t").outcome
    };
    (check("ana"), check("bob"))
}

#[tokio::test(flavor = "current_thread")]
async fn a_neighbour_can_refuse_and_can_allow() {
    let against = outcomes(Some(Neighbour::Votes(Vote::Against)), Combiner::DenyOverrides).await;
    assert_eq!(against, (Outcome::Denied, Outcome::Denied));
    let abstaining = outcomes(Some(Neighbour::Votes(Vote::Abstain)), Combiner::DenyOverrides).await;
    assert_eq!(abstaining, (Outcome::Allowed, Outcome::Denied));
    let in_favour = outcomes(Some(Neighbour::Votes(Vote::For)), Combiner::PermitOverrides).await;
    assert_eq!(in_favour, (Outcome::Allowed, Outcome::Allowed));
}

#[tokio::test(flavor = "current_thread")]
async fn a_neighbour_that_fails_is_late_or_absent_refuses_however_votes_are_counted() {
    let combiners =
        [Combiner::DenyOverrides, Combiner::PermitOverrides, Combiner::Majority, Combiner::Unanimous];
    for combiner in combiners {
        for neighbour in [Some(Neighbour::Late), Some(Neighbour::Fails), Some(Neighbour::Panics), None] {
            let refused = (Outcome::Denied, Outcome::Denied);
            assert_eq!(outcomes(neighbour, combiner).await, refused, "{combiner:?}");
        }
    }
}
