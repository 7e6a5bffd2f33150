import { GraphQLError, GraphQLScalarType } from 'graphql';
import { Field, ID, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';

export type StreamEventKind = 'SNAPSHOT' | 'UPDATE' | 'RESET';

const StreamEventKindEnum = describeEnum<StreamEventKind>('StreamEventKind', 'What an event of a stream says.', {
  SNAPSHOT: 'How things stand: everything up to this event is in it.',
  UPDATE: 'What has changed.',
  RESET: 'The event that was asked for cannot be replayed: forget what you have, a snapshot follows.',
});

/** For results only: the program builds its content, with amounts as text. */
export const JsonScalar = new GraphQLScalarType<unknown>({
  name: 'JSON',
  description: 'A JSON value. Amounts in it are decimal text.',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON is for results only');
  },
});

@ObjectType({ simpleResolvers: true, description: 'Something that happened, or how things stand.' })
export class StreamEvent {
  @Field(() => StreamEventKindEnum, { description: 'What it says' })
  kind!: StreamEventKind;

  @Field(() => ID, {
    description:
      'Its number, decimal. Of orders and balances it grows by one with each update of a wallet; a snapshot has that of the last update in it. Of prices it grows with gaps, and starts anew with the server.',
  })
  eventId!: string | number;

  @Field(() => DateTimeScalar, { description: 'When it happened' })
  timestamp!: string;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'What happened, in the form that the field describes; null in a reset',
  })
  data!: unknown;
}
