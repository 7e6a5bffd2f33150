import { GraphQLError, GraphQLScalarType } from 'graphql';
import { Field, ID, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';

export type StreamEventKind = 'SNAPSHOT' | 'UPDATE' | 'RESET';

const StreamEventKindEnum = describeEnum<StreamEventKind>(
  'StreamEventKind',
  'Kind of an event of a stream.',
  {
    SNAPSHOT: 'The current state, which includes everything up to this event.',
    UPDATE: 'A change.',
    RESET: 'The requested event cannot be replayed: discard the known state; a snapshot follows.',
  },
  { SNAPSHOT: ['Estado atual', 'Snapshot'], UPDATE: ['Atualização', 'Update'], RESET: ['Reinício', 'Reset'] },
);

/** For results only: the program builds its content, with amounts as text. */
export const JsonScalar = new GraphQLScalarType<unknown>({
  name: 'JSON',
  description: 'A JSON value. Amounts in it are decimal text.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('The JSON scalar is for results only');
  },
});

@ObjectType({ simpleResolvers: true, description: 'A change, or the current state.' })
export class StreamEvent {
  @Field(() => StreamEventKindEnum, { description: 'Kind of the event' })
  kind!: StreamEventKind;

  @Field(() => ID, {
    description:
      'Number of the event, decimal. For orders and balances it increases by one with each update of a wallet; a snapshot has that of the last update it includes. For prices it increases with gaps, and restarts with the server.',
  })
  eventId!: string | number;

  @Field(() => String, {
    nullable: true,
    description:
      'Identifies an event of orders or balances: pass that of the last event received as `since` to continue after it. Opaque. Null in a reset, and for prices, which begin with the current state',
  })
  cursor?: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of the event' })
  timestamp!: string;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'Content, in the form that the field describes; null in a reset',
  })
  data!: unknown;
}
