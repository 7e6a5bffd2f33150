import { ArgsType, Field, Int } from 'type-graphql';

/** The page of a list by cursor, in the graph. */
@ArgsType()
export class CursorPageArgs {
  @Field(() => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`endCursor` of the previous page, which must have been requested with the same filter, if any',
  })
  after?: string | null;
}

/** The page of a documented list by token. */
@ArgsType()
export class TokenPageArgs {
  @Field(() => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
  limit?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`nextToken` of the previous page, which must have been requested with the same filter, if any',
  })
  nextToken?: string | null;
}

/** The page of a documented list by number. */
@ArgsType()
export class NumberedPageArgs {
  @Field(() => Int, { nullable: true, description: 'Number of the page, from 1; default 1' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Items per page, from 1 to 100; default 20' })
  limit?: number | null;
}
