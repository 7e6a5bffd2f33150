import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { addCredential, changeCredential, revokeCredential } from './credentials.acts.js';
import { CreatedTradingCredential, TradingCredential } from './company.type.js';

const scopesText =
  'Scopes of the credential, at least one: `read` (read all data of the company), `trade` (orders, quotes, profiles), `withdraw` (withdrawals).';
const networksText =
  'Addresses or CIDR blocks from which the credential and its tokens may be used, 1 to 100 items; null for any address.';

@Resolver()
export class CredentialResolver {
  @Access('operator', 'trade')
  @StepUp()
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
