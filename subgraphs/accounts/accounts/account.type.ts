import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ownerTypes, type OwnerType } from './account.js';
import type { AccountFace } from './account.store.js';

export const OwnerTypeEnum = Object.fromEntries(ownerTypes.map((name) => [name, name])) as { [K in OwnerType]: K };

registerEnumType(OwnerTypeEnum, {
  name: 'OwnerType',
  description: 'Where an account comes from.',
  valuesConfig: {
    EMISSOES_USER: { description: 'Registered in this service.' },
    AGENT_USER: { description: "An account of the issuer's portal, which keeps its password." },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'What an account act has to say. It never tells whether an e-mail has an account.',
})
export class Message {
  @Field(() => String, { description: 'For the person in front of the screen, in English.' })
  message!: string;
}

@ObjectType({ simpleResolvers: true, description: 'The account of a person: the user of a session.' })
export class SessionUser {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'E-mail address as it was registered. Compared without regard to case.' })
  email!: string;

  @Field(() => String, { description: 'Name of the person who uses the API.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: "Company or institution; null for accounts of the issuer's portal.",
  })
  company!: string | null;

  @Field(() => OwnerTypeEnum, { description: 'Where the account comes from.' })
  ownerType!: OwnerType;
}

@ObjectType({ simpleResolvers: true, description: 'What a person gets by logging in or by confirming an e-mail.' })
export class Session {
  @Field(() => String, {
    description:
      'Session token, a JWT that is valid for 12 hours. Send it as `Authorization: Bearer <token>`. It ends early by a log-out, when its owner ends it, when the password is changed or reset, and when more than 50 sessions of the account are open and it is the oldest.',
  })
  accessToken!: string;

  @Field(() => SessionUser, { description: 'Whose session it is.' })
  user!: SessionUser;
}

/** Converts an account's row to its public fields. */
export function toSessionUser({ id, email, name, company, ownerType }: AccountFace): Readonly<SessionUser> {
  return { id, email, name, company, ownerType };
}
