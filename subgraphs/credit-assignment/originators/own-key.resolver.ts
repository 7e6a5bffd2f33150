import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import { addOwnKey, revokeOwnKey } from './originators.acts.js';
import { OriginatorKey, toOriginatorKey } from './originator.type.js';

const deniedText =
  '403 for an account that may not send for the client, and for a request that is not one of a browser’s session';

/** Signing keys of clients, as people of their account change them. */
@Resolver()
export class OwnKeyResolver {
  /** @param forgetClient drops a client from the cache, so that its next request reads it again */
  constructor(private readonly forgetClient: (id: string) => void) {}

  @Access('sender')
  @StepUp()
  @FormMutation()
  @Mutation(() => OriginatorKey, {
    description: `Registers a public key for a client of the account, beside its present keys; the account is told by mail. Adding the same key again returns the existing one. Errors: 400 for an invalid key; ${deniedText}; 404 for a client that the caller may not see; 409 for a key that was revoked or belongs to another client, and when the client has 10 keys.`,
  })
  async addMyOriginatorKey(
    @Ctx() context: Context,
    @AtMost({ maxLength: 16_384 })
    @Arg('publicKey', () => String, {
      description:
        'RSA public key in PEM, of 2048 to 8192 bits: `PUBLIC KEY`, `RSA PUBLIC KEY`, or a `CERTIFICATE` that contains it. The private key stays with the client.',
    })
    publicKey: string,
    @Arg('originatorId', () => ID, {
      nullable: true,
      description: 'Id of the client; can be omitted by an account that is linked with only one.',
    })
    originatorId: string | null | undefined,
  ): Promise<Readonly<OriginatorKey>> {
    const wish = { originatorId: originatorId ?? null, publicKey };
    return toOriginatorKey(await addOwnKey(context, this.forgetClient, wish));
  }

  @Access('sender')
  @StepUp()
  @Mutation(() => OriginatorKey, {
    description: `Revokes a key of a client of the account permanently: within 1 second every instance rejects requests that it signed. The account is told by mail. A key that was already revoked is returned as it is. Errors: ${deniedText}; 404 for a key that the caller may not see; 409 for the last valid key of the client without \`withoutSuccessor\`.`,
  })
  async revokeMyOriginatorKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
    @Arg('withoutSuccessor', () => Boolean, {
      defaultValue: false,
      description:
        'Confirms that the last valid key may be revoked, after which no signed request of the client is accepted.',
    })
    withoutSuccessor: boolean,
  ): Promise<Readonly<OriginatorKey>> {
    return toOriginatorKey(await revokeOwnKey(context, this.forgetClient, { id, withoutSuccessor }));
  }
}
