import 'reflect-metadata';
import { Directive, ObjectType } from 'type-graphql';
import { fields, flag, nullable } from './fields.js';

@ObjectType({ simpleResolvers: true, description: 'The place of a page in its list.' })
@Directive('@shareable')
export class PageInfo extends fields({
  hasNextPage: flag('Whether there are items after this page'),
  hasPreviousPage: flag('Whether there are items before this page'),
  startCursor: nullable.text(
    'The cursor to send as `before` for the previous page; null for an empty page. A list without that argument cannot be read backward',
  ),
  endCursor: nullable.text('The cursor to send as `after` for the next page; null for an empty page'),
}) {}
