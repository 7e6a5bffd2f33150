import type { Context } from '../../../shared/kernel/context.js';

export function findHeldAccount(context: Context, id: string): Promise<{ readonly email: string } | undefined> {
  return context.manager.row(
    `SELECT id, owner_type AS "ownerType", email, name, company, portal_id AS "portalId", created_at AS "createdAt",
       confirmed_at AS "confirmedAt", mail_language AS "mailLanguage" FROM accounts.accounts WHERE id = $1`,
    [id],
  );
}

export function listHeldSessions(context: Context, accountId: string): Promise<object[]> {
  return context.manager.rows(
    `SELECT id, network, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt",
       expires_at AS "expiresAt", ended_at AS "endedAt", end_reason AS "endReason"
     FROM accounts.sessions WHERE account_id = $1 ORDER BY created_at DESC, id DESC`,
    [accountId],
  );
}

export function listHeldNetworks(context: Context, accountId: string): Promise<object[]> {
  return context.manager.rows(
    `SELECT network, last_opened_at AS "lastOpenedAt" FROM accounts.networks WHERE account_id = $1
     ORDER BY last_opened_at DESC, network`,
    [accountId],
  );
}

export function listHeldLinks(context: Context, accountId: string, take: number): Promise<object[]> {
  return context.manager.rows(
    `SELECT purpose, created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt"
     FROM accounts.one_time_tokens WHERE account_id = $1 ORDER BY created_at DESC LIMIT $2`,
    [accountId, take],
  );
}

export function listHeldActs(context: Context, accountId: string, take: number): Promise<object[]> {
  return context.manager.rows(
    `SELECT at, action, outcome, reason, subject_type AS "subjectType", subject_id AS "subjectId", source, occurrences
     FROM shared.audit_log WHERE actor_id = $1 ORDER BY at DESC, id DESC LIMIT $2`,
    [accountId, take],
  );
}
