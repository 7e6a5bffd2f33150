import { Arg, Ctx, Field, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { limitKey } from './limit-key.js';

@ObjectType({ simpleResolvers: true, description: 'The limit of a key, as operators see it.' })
export class LimitedKey {
  @Field(() => String, { description: 'The visible part of the key, as `svcpub_<prefix>` or `svc_dev_<prefix>`.' })
  prefix!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => Int, { description: 'Requests per minute that the key is good for.' })
  rateLimit!: number;

  @Field(() => Boolean, { description: 'Whether that is what the configuration says, and follows it.' })
  followsConfiguration!: boolean;
}

export interface LimitedKeyParts {
  /** Requests per minute of keys without their own limit. */
  readonly rateLimit: number;
  readonly forgetKey: (prefix: string) => void;
}

@Resolver()
export class LimitedKeyResolver {
  constructor(private readonly parts: LimitedKeyParts) {}

  @Access('operator', 'administer')
  @Mutation(() => LimitedKey, {
    description:
      "Gives an API key or a developer's key a limit of its own, for operators; within 1 second it holds everywhere. Errors: 400 for a limit that is none; 401 and 403 for who is no operator; 404 when no key has the prefix.",
  })
  async limitKey(
    @Ctx() context: Context,
    @Arg('prefix', () => String, { description: 'The visible part of the key, in its case.' }) prefix: string,
    @Arg('rateLimit', () => Int, {
      nullable: true,
      description: 'Requests per minute, 1 to 10,000,000; null or omitted: what the configuration says.',
    })
    rateLimit: number | null | undefined,
  ): Promise<Readonly<LimitedKey>> {
    const { forgetKey } = this.parts;
    const key = await limitKey(context, forgetKey, { prefix, rateLimit: rateLimit ?? null });
    return {
      prefix: key.prefix,
      name: key.name,
      rateLimit: key.rateLimit ?? this.parts.rateLimit,
      followsConfiguration: key.rateLimit === null,
    };
  }
}
