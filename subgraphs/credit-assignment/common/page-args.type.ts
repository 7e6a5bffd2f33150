import { ArgsType, Field, Int } from 'type-graphql';

/** The page of a list by cursor, in the graph. */
@ArgsType()
export class CursorPageArgs {
  @Field(() => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`endCursor` of the page before, of the same list with the same filter',
  })
  after?: string | null;
}

/** The page of a documented list by token. */
@ArgsType()
export class TokenPageArgs {
  @Field(() => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
  limit?: number | null;

  @Field(() => String, { nullable: true, description: '`nextToken` of the page before' })
  nextToken?: string | null;
}

/** The page of a documented list by number. */
@ArgsType()
export class NumberedPageArgs {
  @Field(() => Int, { nullable: true, description: 'Page, from 1; 1 when omitted' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Batches a page, from 1 to 100; 20 when omitted' })
  limit?: number | null;
}
