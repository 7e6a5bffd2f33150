import { afterAll, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { createRelay } from '../../../shared/events/outbox/relay.js';
import { openAccounts } from '../../../tests/accounts/kit.js';

const kit = await openAccounts();
afterAll(() => kit.close());

type Change = 'CREATED' | 'MOVED';

/** Hands on that webhooks changed, as the domain of webhooks announces it. */
async function tell(changes: readonly { readonly ownerId: string | null; readonly change: Change }[]): Promise<void> {
  const at = kit.clock.now().toISOString();
  await inTransaction(kit.context, (tx) =>
    announceAll(
      tx,
      changes.map(({ ownerId, change }) => {
        const webhookId = newId();
        const payload = { ownerId, data: { webhookId, change, at } };
        return { topic: 'webhook.changed', key: webhookId, payload, internal: true };
      }),
    ),
  );
  await createRelay(kit.context, { consumers: kit.accounts.consumers ?? [] }).drain();
}

const notices = async (email: string) =>
  (await kit.mailbox(email)).flatMap(({ subject }) => (subject.includes('webhook') ? [subject] : []));

describe('the owner of an account is told by mail', () => {
  test('of a new webhook and of a new address, once each, and nobody else is', async () => {
    const [one, other] = [await kit.member('one@casa.example'), await kit.member('other@casa.example')];
    await tell([
      { ownerId: null, change: 'CREATED' },
      { ownerId: newId(), change: 'CREATED' },
      { ownerId: one.id, change: 'CREATED' },
      { ownerId: one.id, change: 'MOVED' },
    ]);
    expect((await notices('one@casa.example')).sort()).toEqual([
      'Novo webhook na sua conta',
      'Um webhook seu tem outro endereço',
    ]);
    expect(await notices('other@casa.example')).toEqual([]);
    await tell([{ ownerId: other.id, change: 'MOVED' }]);
    expect(await notices('other@casa.example')).toHaveLength(1);
    const [mail] = await kit.mailbox('other@casa.example');
    expect(mail?.text).toContain('Se não foi, exclua o webhook');
    expect(mail?.links).toEqual([]);
  });

  test('five times an hour at most, together with new keys, and of a new password all the same', async () => {
    const email = 'flood@casa.example';
    const { id, principal } = await kit.member(email);
    for (let n = 0; n < 2; n += 1) await kit.run(`mutation { createApiKey(name: "k") { id } }`, {}, { principal });
    await tell(Array.from({ length: 8 }, () => ({ ownerId: id, change: 'MOVED' as const })));
    expect(await notices(email)).toHaveLength(3);
    const text = `mutation { changePassword(currentPassword: "correct horse 9", newPassword: "another horse 10") }`;
    await kit.run(text, {}, { principal });
    expect((await kit.mailbox(email))[0]?.subject).toBe('Sua senha foi trocada');
    kit.clock.advance(3_600_001);
    await tell([{ ownerId: id, change: 'CREATED' }]);
    expect(await notices(email)).toHaveLength(4);
  });

  test('of a receiver that is gone, also after an event that is not understood', async () => {
    const { id } = await kit.member('gone@casa.example');
    const ended = { ownerId: id, data: { url: 'https://casa.example/hook', reason: 'GONE' } };
    await inTransaction(kit.context, (tx) =>
      announceAll(
        tx,
        [{ ownerId: null }, ended].map((payload) => ({ topic: 'webhook.deactivated', key: 'hook', payload })),
      ),
    );
    await createRelay(kit.context, { consumers: kit.accounts.consumers ?? [] }).drain();
    expect(await notices('gone@casa.example')).toHaveLength(1);
  });
});
