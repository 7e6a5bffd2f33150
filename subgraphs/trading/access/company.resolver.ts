import { Arg, Ctx, Directive, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { type FundWallet, readProfiles } from '../profiles/profiles.acts.js';
import { ProfileList } from '../profiles/profile.type.js';
import { addCompany, changeCompany } from './companies.acts.js';
import type { CompanyStatus } from './company.js';
import { findCompanyById, listCompanies } from './company.store.js';
import {
  CompanyStatusEnum,
  toCompany,
  TradingCompany,
  TradingTermsInput,
  type CompanyShape,
  TradingCredential,
} from './company.type.js';
import { credentialsOf } from './credential.store.js';

const nameText = 'Name of the company, 1 to 200 characters.';
const rateText =
  'Maximum number of requests per minute by REST and MCP and of mutations over GraphQL, counted together, from 1 to 10000000; null for the configured default. Queries over GraphQL and messages over sockets are limited by `RATE_LIMIT_GRAPHQL`.';
const accountText = 'Id of the account whose webhooks receive the events of its orders and funds; null for none.';

export interface CompanyResolverParts {
  readonly fund: FundWallet;
  readonly profileCursors: CursorCodec;
}

@Resolver(() => TradingCompany)
export class CompanyResolver {
  constructor(private readonly parts: CompanyResolverParts) {}

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
    @Arg('limit', () => Int, {
      nullable: true,
      defaultValue: 20,
      description: 'Page size, from 1 to 100; default 20.',
    })
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
