import type { Context } from '../../../shared/kernel/context.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { openWallets, type FundWallet } from '../profiles/profiles.acts.js';
import { insertProfile } from '../profiles/profile.store.js';
import { addCompany } from './companies.acts.js';
import { addCredential, type Pair } from './credentials.acts.js';
import { findCompany, findCredential } from './access.store.js';
import { mint, scopes } from './credential.js';

const name = 'Corretora Demonstração';

const people = [
  { name: 'Maria Oliveira', taxId: '52998224725', taxIdType: 'CPF', email: 'maria@cliente.example' },
  { name: 'Padaria Demonstração Ltda.', taxId: '11222333000181', taxIdType: 'CNPJ', email: 'padaria@cliente.example' },
] as const;

/** The tax ids of the profiles that the demo opens: nobody else can open one with them in its company. */
export const demoTaxIds: readonly string[] = people.map(({ taxId }) => taxId);

export interface DemoCompanyParts {
  /** The demo's account, whose webhooks receive the company's events. */
  readonly accountId: string;
  readonly fund: FundWallet;
}

/** Existing ones stay. The credential is derived from the master key, so that it is the same after a restart. */
export async function openDemoCompany(
  context: Context,
  keyRing: KeyRing,
  { accountId, fund }: DemoCompanyParts,
): Promise<Pair> {
  const pair = {
    apiKey: mint('apiKey', (size) => keyRing.hmac('trading/demo', 'apiKey').subarray(0, size)),
    secretKey: mint('secretKey', (size) => keyRing.hmac('trading/demo', 'secretKey').subarray(0, size)),
  };
  await inTransaction(context, async (tx) => {
    const companyId = (await findCompany(tx, accountId, name)) ?? (await addCompany(tx, fund, { name, accountId })).id;
    for (const person of people) {
      const profile = await insertProfile(tx, { ...person, id: newId(tx.clock.now().getTime()), companyId });
      if (profile !== undefined) await openWallets(tx, fund, { companyId, profileId: profile.id });
    }
    if ((await findCredential(tx, pair.apiKey)) === undefined) {
      await addCredential(tx, { companyId, scopes, allowedNetworks: null, expiresAt: null }, pair);
    }
  });
  return pair;
}
