import type { Context } from '../../../shared/context.js';

/** Returns the e-mails of the accounts with the given ids, in the order of the ids. */
export async function emailsById(
  { manager }: Context,
  ids: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const rows = await manager.rows<{ id: string; email: string }>(
    'SELECT id, email FROM accounts.accounts WHERE id = ANY ($1)',
    [ids],
  );
  const byId = new Map(rows.map(({ id, email }) => [id, email]));
  return ids.map((id) => byId.get(id.toLowerCase()));
}
