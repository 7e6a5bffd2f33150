import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({
  simpleResolvers: true,
  description: 'A credential with which a program of a company logs in, without its secret.',
})
export class TradingCredential {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'Public key, `svc_trd_…`.' })
  apiKey!: string;

  @Field(() => [String], { description: 'Scopes of the credential: `read`, `trade`, `withdraw`.' })
  scopes!: readonly string[];

  @Field(() => [String], {
    nullable: true,
    description: 'CIDR blocks from which the credential and its tokens may be used; null for any address.',
  })
  allowedNetworks!: readonly string[] | null;

  @Field(() => Date, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time of expiry; null for no expiry.' })
  expiresAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'Time of its last login or refresh; null before the first one.' })
  lastUsedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'Time of revocation; null unless it was revoked.' })
  revokedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A new credential. Its secret cannot be read again.' })
export class CreatedTradingCredential extends TradingCredential {
  @Field(() => String, { description: 'Secret, `svc_trd_secret_…`; it is only in this response.' })
  secretKey!: string;
}
