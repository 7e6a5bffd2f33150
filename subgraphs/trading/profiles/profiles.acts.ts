import type { ActName } from '../../../shared/registry.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, unless, errorAt, byRule } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import {
  formIssues,
  taxIdIssues,
  type ProfileInput,
  personIssues,
  type PersonInput,
  transition,
  type SuspensionEvent,
} from './profile.js';
import {
  insertProfile,
  type ListedProfile,
  findListed,
  lockProfile,
  savePerson,
  saveSuspension,
  type ProfileRow,
  profilesAt,
  insertWallets,
  type WalletRow,
} from './profile.store.js';
import { requireActive, requireWallet } from './require-wallet.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { documentedNames, openPage } from '../../../shared/graphql/list-page.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { toProfile, type ProfileList } from './profile.type.js';
import { postJournals } from '../ledger/post-journals.js';

/** Funds a wallet that was opened in the current transaction: a synthetic one receives its synthetic funds. */
export type FundWallet = (tx: Context, wallet: WalletRow) => Promise<void>;

/** The wallets of a company, or of one of its profiles: a real and a synthetic one. */
export interface Wallets {
  readonly real: WalletRow;
  readonly synthetic: WalletRow;
}

/** Opens the wallets of a company (`profileId` is null) or of a profile, in the transaction that creates their owner. */
export async function openWallets(
  tx: Context,
  fund: FundWallet,
  owner: Pick<WalletRow, 'companyId' | 'profileId'>,
): Promise<Wallets> {
  const now = tx.clock.now().getTime();
  const real = { id: newId(now), ...owner, synthetic: false };
  const synthetic = { id: newId(now), ...owner, synthetic: true };
  await insertWallets(tx, [real, synthetic]);
  await fund(tx, real);
  await fund(tx, synthetic);
  return { real, synthetic };
}

/**
 * Opens a profile of the calling company, with its wallets. A company can have one profile per person; two companies may serve the same person.
 * @param synthetic whether the result names the synthetic wallet
 * @throws {ApiError} BAD_REQUEST, UNPROCESSABLE for wrong check digits, FORBIDDEN for a suspended company, PROFILE_EXISTS.
 */
export async function createProfile(
  context: Context,
  fund: FundWallet,
  given: ProfileInput,
  synthetic: boolean,
): Promise<ListedProfile> {
  const input = { ...given, name: identifyingText(given.name), email: identifyingText(given.email) };
  refuse('BAD_REQUEST', formIssues(input));
  refuse('UNPROCESSABLE', taxIdIssues(input));
  return inTransaction(context, async (tx) => {
    requireActive(await requireWallet(tx, {}));
    const companyId = tx.principal.ownerId;
    const id = newId(tx.clock.now().getTime());
    const profile = await insertProfile(tx, { ...input, id, companyId });
    if (profile === undefined) throw new ApiError('PROFILE_EXISTS');
    const wallets = await openWallets(tx, fund, { companyId, profileId: id });
    // The profile holds the person's data: the audit log, which cannot be erased, has only the end of the tax id.
    const after = { companyId, taxId: profile.taxId };
    await recordAudit(tx, { action: 'createProfile', subject: { type: 'tradingProfile', id }, after });
    return { ...profile, walletId: wallets[synthetic ? 'synthetic' : 'real'].id };
  });
}

/** A company's corrections to a profile; null or undefined fields stay as they are. */
export type ProfileChange = { readonly [Name in keyof PersonInput]?: PersonInput[Name] | null | undefined };

/**
 * Corrects the name and e-mail of a profile of the calling company. The tax id never changes. A suspended company or
 * profile can be corrected as well, since nothing new is opened.
 * @param synthetic whether the result names the synthetic wallet
 * @throws {ApiError} BAD_REQUEST, also where nothing is to be changed; NOT_FOUND for a profile that the company does not have
 */
export async function updateProfile(
  context: Context,
  id: string,
  change: ProfileChange,
  synthetic: boolean,
): Promise<ListedProfile> {
  const name = change.name == null ? null : identifyingText(change.name);
  const email = change.email == null ? null : identifyingText(change.email);
  refuse('BAD_REQUEST', [
    ...unless(name !== null || email !== null, errorAt('', 'NAME_OR_EMAIL')),
    ...personIssues({ ...(name === null ? {} : { name }), ...(email === null ? {} : { email }) }),
  ]);
  return inTransaction(context, async (tx) => {
    const before = await lockProfile(tx, id, tx.principal.ownerId);
    const person = { name: name ?? before.name, email: email ?? before.email };
    await savePerson(tx, before.id, person);
    // The profile holds the person's data: the audit log, which cannot be erased, names only the changed fields.
    const changed = (['name', 'email'] as const).filter((field) => person[field] !== before[field]);
    const after = { companyId: before.companyId, changed };
    await recordAudit(tx, { action: 'updateProfile', subject: { type: 'tradingProfile', id: before.id }, after });
    return findListed(tx, before.id, synthetic);
  });
}

const actions: Readonly<Record<SuspensionEvent, ActName>> = {
  companySuspends: 'suspendProfile',
  companyActivates: 'activateProfile',
  operatorSuspends: 'suspendTradingProfile',
  operatorActivates: 'activateTradingProfile',
};

/** A company suspends its own profiles, an operator any. A repetition changes nothing. @throws {ApiError} NOT_FOUND; FORBIDDEN for the company if the operator suspended it */
export async function changeSuspension(context: Context, id: string, event: SuspensionEvent): Promise<ProfileRow> {
  const byCompany = event === 'companySuspends' || event === 'companyActivates';
  return inTransaction(context, async (tx) => {
    const before = await lockProfile(tx, id, byCompany ? tx.principal.ownerId : undefined);
    const next = transition(before.suspendedBy, event);
    if (next === 'REFUSED') throw new ApiError('FORBIDDEN', byRule('PROFILE_SUSPENDED_BY_OPERATOR'));
    const after = next === before.suspendedBy ? before : await saveSuspension(tx, id, next);
    await recordAudit(tx, {
      action: actions[event],
      subject: { type: 'tradingProfile', id: before.id },
      before: { suspendedBy: before.suspendedBy },
      after: { suspendedBy: after.suspendedBy },
    });
    return after;
  });
}

export interface ProfilePageRequest {
  readonly limit: number | null | undefined;
  readonly nextToken: string | null | undefined;
  /** Whether to list the synthetic wallet. */
  readonly synthetic: boolean;
}

/** Lists the oldest first: 20 by default, 100 at most. Pages of several companies are loaded in one query. @throws {ApiError} BAD_REQUEST */
export async function readProfiles(
  context: Context,
  cursors: CursorCodec,
  companyId: string,
  { limit, nextToken, synthetic }: ProfilePageRequest,
): Promise<Shape<ProfileList>> {
  const page = openPage(cursors, { names: documentedNames, limit, cursor: nextToken }, { scope: companyId });
  const wanted = { companyId, synthetic, after: page.after ?? null, limit: page.limit + 1 };
  const { rows, nextToken: next } = page.take(await loaderOf(context, profilesAt).load(wanted), ({ id }) => [id]);
  return { profiles: rows.map(toProfile), nextToken: next };
}

/** The initial funds of a synthetic wallet, by currency (docs/contract/trading.md §8.2). */
const syntheticFunds: Readonly<Record<string, string>> = {
  BRL: '100000',
  BTC: '1',
  ETH: '10',
  USDT: '20000',
};

export const fundSynthetic: FundWallet = async (tx, { id, synthetic }) => {
  if (!synthetic) return;
  const postings = Object.entries(syntheticFunds).flatMap(([currency, amount]) => [
    { account: { kind: 'AVAILABLE', walletId: id, currency } as const, amount },
    { account: { kind: 'CUSTODY', currency } as const, amount: `-${amount}` },
  ]);
  await postJournals(tx, [
    { key: `synthetic.funds:${id}`, cause: 'synthetic.funds', causeId: id, synthetic, postings },
  ]);
};
