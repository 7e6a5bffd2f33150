import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { addCredential } from './add-credential.js';
import { changeCredential } from './change-credential.js';
import { CreatedTradingCredential, toCreatedCredential, toCredential, TradingCredential } from './credential.type.js';
import { revokeCredential } from './revoke-credential.js';

const scopesText =
  'What it may do, at least one: `read` (see everything of the company), `trade` (orders, quotes, profiles), `withdraw` (withdrawals).';
const networksText =
  'Addresses or CIDR blocks where it and its tokens may be used from, 1 to 100 items; null for anywhere.';

@Resolver()
export class CredentialResolver {
  @Access('operator', 'trade')
  @Mutation(() => CreatedTradingCredential, {
    description:
      'Gives a company a further credential, so that one can be replaced without a gap. The secret is in this response only. Errors: 400; 401 and 403 without the role `trade`; 404; 409 when the company has 10 that work.',
  })
  async addTradingCredential(
    @Ctx() context: Context,
    @Arg('companyId', () => ID, { description: 'Id of the company.' }) companyId: string,
    @AtMost({ maxItems: 10, maxLength: 20 })
    @Arg('scopes', () => [String], { description: scopesText })
    scopes: string[],
    @AtMost({ maxItems: 100, maxLength: 50 })
    @Arg('allowedNetworks', () => [String], { nullable: true, description: networksText })
    allowedNetworks: string[] | null | undefined,
    @Arg('expiresAt', () => Date, { nullable: true, description: 'When it stops working; null: not by itself.' })
    expiresAt: Date | string | null | undefined,
  ): Promise<Readonly<CreatedTradingCredential>> {
    const input = { companyId, scopes, allowedNetworks: allowedNetworks ?? null };
    return toCreatedCredential(
      await addCredential(context, { ...input, expiresAt: expiresAt == null ? null : new Date(expiresAt) }),
    );
  }

  @Access('operator', 'trade')
  @Mutation(() => TradingCredential, {
    description:
      'Changes what a credential may do; what is left out stays. It holds for requests within 1 second, for the tokens that the credential has as well; sockets that lose a scope which they need close within ten seconds. Errors: 400; 401 and 403 without the role `trade`; 404; 409 for one that was revoked.',
  })
  async changeTradingCredential(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the credential.' }) id: string,
    @AtMost({ maxItems: 10, maxLength: 20 })
    @Arg('scopes', () => [String], { nullable: true, description: `${scopesText} Null: as they are.` })
    scopes: string[] | null | undefined,
    @AtMost({ maxItems: 100, maxLength: 50 })
    @Arg('allowedNetworks', () => [String], { nullable: true, description: networksText })
    allowedNetworks: string[] | null | undefined,
  ): Promise<Readonly<TradingCredential>> {
    return toCredential(await changeCredential(context, id, { scopes: scopes ?? undefined, allowedNetworks }));
  }

  @Access('operator', 'trade')
  @Mutation(() => Boolean, {
    description:
      'Revokes a credential for good: within 1 second no request with one of its tokens is answered, and its sockets close within ten seconds. Returns true, again when it was revoked before. Errors: 401 and 403 without the role `trade`; 404.',
  })
  async revokeTradingCredential(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the credential.' }) id: string,
  ): Promise<boolean> {
    await revokeCredential(context, id);
    return true;
  }
}
