import { Field, ID, ObjectType } from 'type-graphql';
import type { CreatedCredential } from './add-credential.js';
import type { CredentialRow } from './credential.store.js';

@ObjectType({ simpleResolvers: true, description: 'What a program of a company logs in by, without its secret.' })
export class TradingCredential {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'The public key, `svc_trd_…`.' })
  apiKey!: string;

  @Field(() => [String], { description: 'What it may do: `read`, `trade`, `withdraw`.' })
  scopes!: readonly string[];

  @Field(() => [String], {
    nullable: true,
    description: 'CIDR blocks where it and its tokens may be used from; null is anywhere.',
  })
  allowedNetworks!: readonly string[] | null;

  @Field(() => Date, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it stops working; null when it does not.' })
  expiresAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'Its last login or refresh; null before the first.' })
  lastUsedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was revoked; null while it is not.' })
  revokedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A new credential. Its secret cannot be shown again.' })
export class CreatedTradingCredential extends TradingCredential {
  @Field(() => String, { description: 'The secret, `svc_trd_secret_…`: shown in this response only.' })
  secretKey!: string;
}

export function toCredential(row: CredentialRow): Readonly<TradingCredential> {
  const { id, apiKey, scopes, allowedNetworks, createdAt, expiresAt, lastUsedAt, revokedAt } = row;
  return { id, apiKey, scopes, allowedNetworks, createdAt, expiresAt, lastUsedAt, revokedAt };
}

export function toCreatedCredential(row: CreatedCredential): Readonly<CreatedTradingCredential> {
  return { ...toCredential(row), secretKey: row.secretKey };
}
