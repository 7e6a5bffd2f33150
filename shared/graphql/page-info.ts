import 'reflect-metadata';
import { Directive, Field, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'The place of a page in its list.' })
@Directive('@shareable')
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are items after this page' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there are items before this page' })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor to send as `before` for the previous page; null for an empty page. A list without that argument cannot be read backward',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor to send as `after` for the next page; null for an empty page',
  })
  endCursor!: string | null;
}
