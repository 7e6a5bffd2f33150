import { Arg, Ctx, Field, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { limitKey } from './operators.acts.js';

@ObjectType({ simpleResolvers: true, description: 'The rate limit of a key, as operators see it.' })
export class LimitedKey {
  @Field(() => String, { description: 'The visible part of the key, as `svcpub_<prefix>` or `svc_dev_<prefix>`.' })
  prefix!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => Int, {
    description:
      'Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead.',
  })
  rateLimit!: number;

  @Field(() => Boolean, { description: 'Whether the limit is the configured default, and follows its changes.' })
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
  @StepUp()
  @Mutation(() => LimitedKey, {
    description:
      'Sets the rate limit of an API key or a developer key; it applies on every instance within 1 second. Errors: 400 for an invalid limit; 401 and 403 for callers who are not operators; 404 when no key has the prefix.',
  })
  async limitKey(
    @Ctx() context: Context,
    @Arg('prefix', () => String, { description: 'The visible part of the key; case-sensitive.' }) prefix: string,
    @Arg('rateLimit', () => Int, {
      nullable: true,
      description:
        'Maximum number of requests per minute by REST and MCP, 1 to 10,000,000; null or omitted for the configured default.',
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
