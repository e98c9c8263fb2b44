//! Runs and the audit log as ports, for each database: what is done is the same, and told in the [`runs`](crate::runs)
//! and [`audit`](crate::audit) modules.

/// Implements the ports for a [`Database`](crate::database::Database).
macro_rules! ports {
    ($store:ty) => {
        #[async_trait::async_trait]
        impl guardbee_engine::run_store::RunStore for $store {
            async fn append_runs(&self, runs: &[Run]) -> Result<Vec<Appended>, StoreError> {
                crate::runs::append(self, runs).await.map_err(|failure| self.error(failure))
            }

            async fn run_head(&self) -> Result<RunHead, StoreError> {
                crate::runs::head(self).await.map_err(|failure| self.error(failure))
            }

            async fn each_run(
                &self,
                after: RunSeq,
                each: &mut (dyn FnMut(StoredRun) + Send),
            ) -> Result<RunHead, StoreError> {
                crate::runs::each(self, after, each).await.map_err(|failure| self.error(failure))
            }

            async fn load_runs(&self, after: RunSeq, limit: u32) -> Result<Vec<StoredRun>, StoreError> {
                crate::runs::load(self, after, limit).await.map_err(|failure| self.error(failure))
            }

            async fn runs_by_seq(&self, seqs: &[RunSeq]) -> Result<Vec<StoredRun>, StoreError> {
                crate::runs::by_seq(self, seqs).await.map_err(|failure| self.error(failure))
            }

            async fn runs_by_key(&self, keys: &[RunKey]) -> Result<Vec<StoredRun>, StoreError> {
                crate::runs::by_key(self, keys).await.map_err(|failure| self.error(failure))
            }

            async fn find_runs(
                &self,
                filter: &RunFilter,
                behind: Option<RunPlace>,
                limit: u32,
            ) -> Result<Vec<StoredRun>, StoreError> {
                crate::runs::find(self, filter, behind, limit).await.map_err(|failure| self.error(failure))
            }

            async fn wait_runs_after(&self, known: RunHead) -> Result<(), StoreError> {
                let known = known.newest.0.saturating_add(known.forgotten);
                self.wait_for(News::Runs, known).await.map(|_| ())
            }

            async fn forget_runs(&self, retention: Retention<'_>) -> Result<u64, StoreError> {
                crate::runs::forget(self, retention).await.map_err(|failure| self.error(failure))
            }

            async fn save_index(
                &self,
                made_of: RunHead,
                parts: &mut (dyn Iterator<Item = Vec<u8>> + Send),
            ) -> Result<IndexSaved, StoreError> {
                crate::run_index::save(self, made_of, parts).await.map_err(|failure| self.error(failure))
            }

            async fn load_index(
                &self,
                each: &mut (dyn FnMut(Vec<u8>) + Send),
            ) -> Result<Option<RunHead>, StoreError> {
                crate::run_index::load(self, each).await.map_err(|failure| self.error(failure))
            }

            async fn bury(
                &self,
                letters: &[DeadLetter],
                bounds: LetterBounds,
            ) -> Result<Vec<Option<LetterId>>, StoreError> {
                crate::letters::bury(self, letters, bounds).await.map_err(|failure| self.error(failure))
            }

            async fn letter_use(&self) -> Result<LetterUse, StoreError> {
                crate::letters::in_use(self).await.map_err(|failure| self.error(failure))
            }

            async fn dead_letters(
                &self,
                after: LetterId,
                limit: u32,
            ) -> Result<Vec<BuriedLetter>, StoreError> {
                crate::letters::after(self, after, limit).await.map_err(|failure| self.error(failure))
            }

            async fn dead_letter(&self, id: LetterId) -> Result<Option<BuriedLetter>, StoreError> {
                crate::letters::one(self, id).await.map_err(|failure| self.error(failure))
            }

            async fn revive(&self, id: LetterId, runs: &[Run]) -> Result<Option<Vec<Appended>>, StoreError> {
                crate::letters::revive(self, id, runs).await.map_err(|failure| self.error(failure))
            }

            async fn remove_letters(&self, ids: &[LetterId]) -> Result<u64, StoreError> {
                crate::letters::remove(self, ids).await.map_err(|failure| self.error(failure))
            }
        }

        #[async_trait::async_trait]
        impl guardbee_engine::accounts::AccountStore for $store {
            async fn put_account(&self, account: &Account, placing: Placing) -> Result<bool, StoreError> {
                crate::accounts::put(self, account, placing).await.map_err(|failure| self.error(failure))
            }

            async fn account(&self, name: &str) -> Result<Option<Account>, StoreError> {
                crate::accounts::one(self, name).await.map_err(|failure| self.error(failure))
            }

            async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
                crate::accounts::all(self).await.map_err(|failure| self.error(failure))
            }

            async fn remove_account(&self, name: &str) -> Result<bool, StoreError> {
                crate::accounts::remove(self, name).await.map_err(|failure| self.error(failure))
            }

            async fn add_token(&self, token: &NewToken) -> Result<TokenId, StoreError> {
                crate::accounts::add_token(self, token).await.map_err(|failure| self.error(failure))
            }

            async fn tokens(&self) -> Result<Vec<Token>, StoreError> {
                crate::accounts::tokens(self).await.map_err(|failure| self.error(failure))
            }

            async fn remove_token(&self, id: TokenId) -> Result<bool, StoreError> {
                crate::accounts::remove_token(self, id).await.map_err(|failure| self.error(failure))
            }

            async fn account_changes(&self) -> Result<u64, StoreError> {
                crate::accounts::changes(self).await.map_err(|failure| self.error(failure))
            }

            async fn wait_account_changes(&self, after: u64) -> Result<u64, StoreError> {
                self.wait_for(News::Accounts, after).await
            }
        }

        #[async_trait::async_trait]
        impl JobStore for $store {
            async fn claim_jobs(&self, holder: &str) -> Result<Option<Box<dyn JobClaim + '_>>, StoreError> {
                self.claim(holder).await
            }

            async fn jobs(&self, limit: u32) -> Result<Vec<JobRun>, StoreError> {
                crate::jobs::newest(self, limit).await.map_err(|failure| self.error(failure))
            }
        }

        #[async_trait::async_trait]
        impl guardbee_engine::audit::AuditStore for $store {
            async fn append_audit(&self, records: &[AuditRecord]) -> Result<AuditHead, StoreError> {
                crate::audit::append(self, records).await.map_err(|failure| self.error(failure))
            }

            async fn audit_head(&self) -> Result<AuditHead, StoreError> {
                crate::audit::head(self).await.map_err(|failure| self.error(failure))
            }

            async fn read_audit(
                &self,
                filter: &AuditFilter,
                cursor: AuditCursor,
                limit: u32,
            ) -> Result<Vec<AuditEntry>, StoreError> {
                crate::audit_read::read(self, filter, cursor, limit)
                    .await
                    .map_err(|failure| self.error(failure))
            }

            async fn verify_audit(&self, anchor: Option<AuditHead>) -> Result<AuditVerdict, StoreError> {
                crate::audit_chain::verify(self, anchor).await.map_err(|failure| self.error(failure))
            }
        }
    };
}

pub(crate) use ports;
