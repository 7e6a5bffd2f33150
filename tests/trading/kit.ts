import { cpfCheckDigits } from '../../shared/kernel/tax-id.js';
import type { Context, Principal } from '../../shared/kernel/context.js';
import { addCompany } from '../../subgraphs/trading/access/companies.acts.js';
import { addCredential, type CreatedCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { scopes as allScopes, type CredentialInput } from '../../subgraphs/trading/access/credential.js';
import type { TermsInput } from '../../subgraphs/trading/access/company.js';
import { createProfile, type FundWallet } from '../../subgraphs/trading/profiles/profiles.acts.js';
import type { ListedProfile, OwnWallet } from '../../subgraphs/trading/profiles/profile.store.js';
import { requireWallet } from '../../subgraphs/trading/profiles/require-wallet.js';
import { callerOf, type Caller, type Reply } from '../accounts/http.js';
import type { TestPlatform } from '../kit/platform.js';
import { rateLimitVariables } from '../kit/rate-limits.js';

/** Wallets start empty. */
export const noFunds: FundWallet = () => Promise.resolve();

/** A company that trades, its credential, and a context in which it calls. */
export interface TestTrader {
  readonly companyId: string;
  readonly credential: CreatedCredential;
  readonly principal: Principal;
  readonly context: Context;
}

export interface TestTraderOptions extends Partial<CredentialInput> {
  readonly name?: string;
  readonly rateLimit?: number;
  readonly accountId?: string;
  readonly terms?: TermsInput;
  readonly expiresAt?: Date;
  /** What new wallets start with; nothing when not given. */
  readonly fund?: FundWallet;
}

/** Onboards a company with a credential that may do everything, unless something else is said. */
export async function newTrader(context: Context, options: TestTraderOptions = {}): Promise<TestTrader> {
  const { name = 'Corretora Teste', rateLimit, accountId, terms, fund = noFunds } = options;
  const { id: companyId } = await addCompany(context, fund, { name, rateLimit, accountId, terms });
  const { scopes = allScopes, allowedNetworks = null, expiresAt = null } = options;
  const credential = await addCredential(context, { companyId, scopes, allowedNetworks, expiresAt });
  const principal = { kind: 'TRADER', id: credential.id, ownerId: companyId, scopes: credential.scopes } as const;
  return { companyId, credential, principal, context: { ...context, principal, loaders: new Map() } };
}

let persons = 100_000_000;

export function newCpf(): string {
  persons += 1;
  const base = String(persons);
  return base + cpfCheckDigits(base);
}

export function newProfile({ context }: TestTrader, fund = noFunds): Promise<ListedProfile> {
  const person = { name: 'Maria Oliveira', taxId: newCpf(), taxIdType: 'CPF', email: 'maria@cliente.example' } as const;
  return createProfile(context, fund, person, false);
}

export function walletOf({ context }: TestTrader, profileId?: string, synthetic = false): Promise<OwnWallet> {
  return requireWallet(context, { profileId, synthetic });
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

/** A company as a program of it meets a running house. */
export interface TradingCaller extends Caller {
  login(trader: Pick<TestTrader, 'credential'>, headers?: Record<string, string>): Promise<Reply>;
  refresh(refreshToken: string, headers?: Record<string, string>): Promise<Reply>;
  /** Logs in, and returns the tokens and what calls send. */
  session(trader: Pick<TestTrader, 'credential'>): Promise<{
    readonly tokens: Tokens;
    readonly headers: { readonly authorization: string };
  }>;
}

export function tradingCallerOf(platform: TestPlatform): TradingCaller {
  const caller = callerOf(platform);
  const login: TradingCaller['login'] = ({ credential: { apiKey, secretKey } }, headers) =>
    caller.post('/v1/auth/login', { apiKey, secretKey }, headers);
  return {
    ...caller,
    login,
    refresh: (refreshToken, headers) => caller.send('PUT', '/v1/auth/refresh', { refreshToken }, headers),
    session: async (trader) => {
      const { status, body } = await login(trader);
      if (status !== 200) throw new Error(`The login was answered with ${status}`);
      const tokens = body as Tokens;
      return { tokens, headers: { authorization: `Bearer ${tokens.accessToken}` } };
    },
  };
}

/** Limits that no test reaches by accident. */
export const plenty = rateLimitVariables(100_000);
