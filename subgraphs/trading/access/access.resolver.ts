import { Arg, Ctx, Directive, FieldResolver, ID, Int, Mutation, Query, Resolver, Root, ObjectType } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { type FundWallet, readProfiles } from '../profiles/profiles.acts.js';
import { ProfileList } from '../profiles/profile.type.js';
import { addCompany, changeCompany } from './companies.acts.js';
import type { CompanyStatus } from './company.js';
import { findCompanyById, listCompanies, credentialsOf } from './access.store.js';
import {
  CompanyStatusEnum,
  toCompany,
  TradingCompany,
  TradingTermsInput,
  type CompanyShape,
  TradingCredential,
  CreatedTradingCredential,
} from './company.type.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { addCredential, changeCredential, revokeCredential } from './credentials.acts.js';
import { login, type LoginParts, refresh } from './tokens.acts.js';
import { fields, int, text } from '../../../shared/graphql/fields.js';

@Resolver()
export class TokenResolver {
  constructor(private readonly parts: LoginParts) {}

  @Access('anyone')
  @Mutation(() => TradingTokens, {
    description:
      'Logs in a trading company. REST: POST /v1/auth/login. Errors: 401 CAAS_AUTH_002 for a wrong, revoked or expired credential, and for one that is not allowed from the address of the caller.',
  })
  tradingLogin(
    @Ctx() context: Context,
    @AtMost({ maxLength: 200 })
    @Arg('apiKey', () => String, { description: 'Public key of a credential, `svc_trd_…`.' })
    apiKey: string,
    @AtMost({ maxLength: 200 })
    @Arg('secretKey', () => String, { description: 'Secret of the credential, `svc_trd_secret_…`.' })
    secretKey: string,
  ): Promise<Readonly<TradingTokens>> {
    return login(context, this.parts, { apiKey, secretKey });
  }

  @Access('anyone')
  @Mutation(() => TradingTokens, {
    description:
      'Exchanges a refresh token for new tokens. A refresh token is valid once: a second use ends the whole login, its access tokens within 1 second and its sockets within ten seconds. Within ten seconds the same client at the same address gets the same tokens again. REST: PUT /v1/auth/refresh. Errors: 401 CAAS_AUTH_001 for a token that is unknown, used or expired.',
  })
  refreshTradingTokens(
    @Ctx() context: Context,
    @AtMost({ maxLength: 2_048 })
    @Arg('refreshToken', () => String, { description: 'Refresh token of the last login or refresh.' })
    refreshToken: string,
  ): Promise<Readonly<TradingTokens>> {
    return refresh(context, this.parts, refreshToken);
  }
}

@ObjectType({ simpleResolvers: true, description: 'Tokens of a trading company. They are returned only once.' })
class TradingTokens extends fields({
  accessToken: text('A JWT signed with EdDSA (Ed25519), for `Authorization: Bearer`.'),
  refreshToken: text(
    'Refresh token, valid once and for 7 days: a JWT signed with EdDSA (Ed25519). A second use ends the whole login.',
  ),
  expiresIn: int('Lifetime of the access token in seconds: 3600.'),
}) {}

const scopesText =
  'Scopes of the credential, at least one: `read` (read all data of the company), `trade` (orders, quotes, profiles), `withdraw` (withdrawals).';
const networksText =
  'Addresses or CIDR blocks from which the credential and its tokens may be used, 1 to 100 items; null for any address.';

@Resolver()
export class CredentialResolver {
  @Access('operator', 'trade')
  @StepUp('secret')
  @Mutation(() => CreatedTradingCredential, {
    description:
      'Adds a credential to a company, so that credentials can be rotated without interruption. The secret is only in this response. Errors: 400; 401 and 403 without the role `trade`; 404; 409 when the company has 10 valid ones.',
  })
  addTradingCredential(
    @Ctx() context: Context,
    @Arg('companyId', () => ID, { description: 'Id of the company.' }) companyId: string,
    @AtMost({ maxItems: 10, maxLength: 20 })
    @Arg('scopes', () => [String], { description: scopesText })
    scopes: string[],
    @AtMost({ maxItems: 100, maxLength: 50 })
    @Arg('allowedNetworks', () => [String], { nullable: true, description: networksText })
    allowedNetworks: string[] | null | undefined,
    @Arg('expiresAt', () => Date, { nullable: true, description: 'Time of expiry; null for no expiry.' })
    expiresAt: Date | string | null | undefined,
  ): Promise<Readonly<CreatedTradingCredential>> {
    const input = { companyId, scopes, allowedNetworks: allowedNetworks ?? null };
    return addCredential(context, { ...input, expiresAt: expiresAt == null ? null : new Date(expiresAt) });
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => TradingCredential, {
    description:
      'Changes the permissions of a credential; fields that are omitted keep their values. The change applies to requests within 1 second, also to those with existing tokens; sockets that lose a required scope are closed within ten seconds. Errors: 400; 401 and 403 without the role `trade`; 404; 409 for a revoked credential.',
  })
  changeTradingCredential(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the credential.' }) id: string,
    @AtMost({ maxItems: 10, maxLength: 20 })
    @Arg('scopes', () => [String], { nullable: true, description: `${scopesText} Null to keep them.` })
    scopes: string[] | null | undefined,
    @AtMost({ maxItems: 100, maxLength: 50 })
    @Arg('allowedNetworks', () => [String], { nullable: true, description: networksText })
    allowedNetworks: string[] | null | undefined,
  ): Promise<Readonly<TradingCredential>> {
    return changeCredential(context, id, { scopes: scopes ?? undefined, allowedNetworks });
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => Boolean, {
    description:
      'Revokes a credential permanently: within 1 second every request with one of its tokens is rejected, and within ten seconds its sockets are closed. Returns true, also for a credential that was already revoked. Errors: 401 and 403 without the role `trade`; 404.',
  })
  async revokeTradingCredential(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the credential.' }) id: string,
  ): Promise<boolean> {
    await revokeCredential(context, id);
    return true;
  }
}

const nameText = 'Name of the company, 1 to 200 characters.';
const rateText =
  'Maximum number of requests per minute by REST and MCP and of mutations over GraphQL, counted together, from 1 to 10000000; null for the configured default. Queries over GraphQL and messages over sockets are limited by `RATE_LIMIT_GRAPHQL`.';
const accountText = 'Id of the account whose webhooks receive the events of its orders and funds; null for none.';

@Resolver(() => TradingCompany)
export class CompanyResolver {
  constructor(private readonly parts: { readonly fund: FundWallet; readonly profileCursors: CursorCodec }) {}

  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [TradingCompany], {
    description:
      'The trading companies, newest first, at most 500. Errors: 401 and 403 for callers who are not operators.',
  })
  async tradingCompanies(@Ctx() context: Context): Promise<CompanyShape[]> {
    return (await listCompanies(context, 500)).map(toCompany);
  }

  @Access('operator', 'read')
  @Query(() => TradingCompany, {
    nullable: true,
    description:
      'A trading company; null when it does not exist. Errors: 401 and 403 for callers who are not operators.',
  })
  async tradingCompany(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the company (UUID).' }) id: string,
  ): Promise<CompanyShape | null> {
    const row = await findCompanyById(context, id);
    return row === undefined ? null : toCompany(row);
  }

  @Directive('@listSize(assumedSize: 10)')
  @FieldResolver(() => [TradingCredential], {
    description: 'Credentials of the company: those that are not revoked first, then by age, newest first; at most 50.',
  })
  async credentials(@Root() { id }: CompanyShape, @Ctx() context: Context): Promise<Readonly<TradingCredential>[]> {
    return loaderOf(context, credentialsOf).load(id);
  }

  @FieldResolver(() => ProfileList, {
    description: 'A page of the profiles of the company, oldest first. Errors: 400.',
  })
  async profiles(
    @Root() { id }: CompanyShape,
    @Ctx() context: Context,
    @Arg('limit', () => Int, { nullable: true, defaultValue: 20, description: 'Page size, from 1 to 100; default 20.' })
    limit: number | null | undefined,
    @Arg('nextToken', () => String, { nullable: true, description: '`nextToken` of the previous page.' })
    nextToken: string | null | undefined,
  ): Promise<Shape<ProfileList>> {
    const request = { limit, nextToken, synthetic: false };
    return readProfiles(context, this.parts.profileCursors, id, request);
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => TradingCompany, {
    description:
      'Onboards a company with its own wallets. It can log in once it has a credential (`addTradingCredential`). Errors: 400; 401 and 403 without the role `trade`.',
  })
  async addTradingCompany(
    @Ctx() context: Context,
    @Arg('name', () => String, { description: nameText }) name: string,
    @Arg('rateLimit', () => Int, { nullable: true, description: rateText }) rateLimit: number | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: accountText }) accountId: string | null | undefined,
    @Arg('terms', () => TradingTermsInput, {
      nullable: true,
      description:
        'Fees and limits. By default fees of 0.2 (maker) and 0.3 (taker) percent, quotes of at most R$ 5,000,000, and no other limits.',
    })
    terms: TradingTermsInput | null | undefined,
  ): Promise<CompanyShape> {
    return toCompany(await addCompany(context, this.parts.fund, { name, rateLimit, accountId, terms }));
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => TradingCompany, {
    description:
      'Changes a company; fields that are omitted keep their values. `name` and `status` cannot be null. The change applies to the next request of the company, a new rate limit within 1 second. Errors: 400; 401 and 403 without the role `trade`; 404.',
  })
  async changeTradingCompany(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the company.' }) id: string,
    @Arg('name', () => String, { nullable: true, description: nameText }) name: string | null | undefined,
    @Arg('rateLimit', () => Int, { nullable: true, description: rateText }) rateLimit: number | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: accountText }) accountId: string | null | undefined,
    @Arg('status', () => CompanyStatusEnum, {
      nullable: true,
      description: 'Whether the company may open new orders, quotes, profiles and withdrawals.',
    })
    status: CompanyStatus | null | undefined,
    @Arg('terms', () => TradingTermsInput, { nullable: true, description: 'Fees and limits.' })
    terms: TradingTermsInput | null | undefined,
  ): Promise<CompanyShape> {
    return toCompany(await changeCompany(context, id, { name, rateLimit, accountId, status, terms }));
  }
}
