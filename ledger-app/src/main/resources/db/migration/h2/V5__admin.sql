-- Whose replay it is; null if it concerns the ledger as a whole, as those that were there before do.
alter table replay_job add column tenant varchar(128);

-- The initial key has all roles, as it had when there were three of them.
update api_key set roles = 'WRITER,READER,OPERATOR,ADMIN' where name = 'initial' and roles = 'WRITER,READER,OPERATOR';
