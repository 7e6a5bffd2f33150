import fc from 'fast-check';
import { isObjectType } from 'graphql';
import type { Vocabulary } from './random-document.js';

/** The shop's: with conditions, or with `@requires`: Apollo's planner loses an object of which a required field is skipped. */
export const shopVocabulary = (conditions: boolean): Vocabulary => ({
  conditions,
  variants: {
    'Query.item': ['(id: "s1")', '(id: "b1")', '(id: $id)'],
    'Query.node': ['(id: "s3")', '(id: $id)'],
    'Query.shoes': ['', '(status: ACTIVE)', '(status: $status)'],
    'Query.makers': ['', '(first: 1)', '(first: $representations)'],
    'Query.maker': ['(id: "m1")', '(id: "m2")'],
    'Query.last': ['', '(text: "")'],
    'Mutation.wear': ['(wear: { id: "s1" })', '(wear: { id: $id, status: $status, worn: $yes })'],
    'Mutation.count': ['', '(by: 5)', '(by: $representations)'],
    'Mutation.restock': ['(id: "s2")', '(id: $id)'],
    'Subscription.worn': ['(id: "s3")'],
    'Shoe.tag': ['', '(text: "!")'],
    'Shoe.similar': ['', '(limit: 0)', '(limit: $representations)'],
  },
  fragments: {
    Thing: {
      on: 'Node',
      text: `{ id kind: __typename ...Worn ${conditions ? '@include(if: $yes)' : ''} ... on Book { label shelf } }`,
    },
    Worn: { on: 'Shoe', text: '{ worn label count ...Stocked similar { size label } }' },
    Stocked: {
      on: 'Shoe',
      text: `{ pairs ${conditions ? '@skip(if: $no)' : 'shipping'} inStock maker { id: motto active } }`,
    },
    Scored: { on: 'Media', text: '{ score ... on Film { silent critics { motto } } ... on Song { verse loved } }' },
  },
  leftOut: new Set(conditions ? ['top', 'films', 'shipping'] : ['top', 'films']),
  aliases: ['id', '__typename', 'size', 'label', 'count', 'constructor', '__proto__', '_entities', 'label__alias_0'],
  variables: {
    id: { type: 'ID!', values: fc.constantFrom('s1', 's2', 's3') },
    yes: { type: 'Boolean!', values: fc.boolean() },
    no: { type: 'Boolean! = false', values: fc.boolean(), optional: true },
    name: { type: 'String!', values: fc.constantFrom('Shoe', 'Status', 'nothing') },
    status: { type: 'Status', values: fc.constantFrom('ACTIVE', 'SOLD', null), optional: true },
    representations: { type: 'Int! = 1', values: fc.integer({ min: 0, max: 3 }), optional: true },
  },
});

/** The library's and its readers'. */
export const libraryVocabulary: Vocabulary = {
  conditions: true,
  variants: {
    'Query.book': ['(id: "1")', '(id: "2")', '(id: $id)', '(id: "404")'],
    'Query.strictBook': ['(id: "3")', '(id: $id)'],
    'Query.find': ['(id: "8")', '(id: "2")', '(id: $id)'],
    'Query.books': ['', '(first: 1)', '(first: $n)'],
    'Book.others': ['', '(limit: 1)', '(limit: $n)'],
    'Mutation.note': ['(text: "one")', '(text: "two", fail: "fault")'],
    'Mutation.review': ['(bookId: "1", stars: 3)', '(bookId: $id, stars: $n)'],
    'Subscription.bookChanged': ['(id: "1")'],
  },
  fragments: {
    Deep: {
      on: 'Book',
      text: '{ verdict next { ...Kind title next { ...Kind } } others1: others(limit: 1) { rating @skip(if: $yes) } }',
    },
    Kind: { on: 'Work', text: '{ kind: __typename ... on Film { audience minutes } ...Name @include(if: $yes) }' },
    Name: { on: 'Work', text: '{ title ... on Book { next { dispute } } __typename }' },
  },
  leftOut: new Set(['broken', 'reader', 'search', 'echo', 'originator']),
  aliases: ['constructor', '__proto__', 'valueOf'],
  variables: {
    id: { type: 'ID!', values: fc.constantFrom('1', '2', '3', '8', '404') },
    n: { type: 'Int! = 2', values: fc.integer({ min: 0, max: 3 }), optional: true },
    yes: { type: 'Boolean!', values: fc.boolean() },
    no: { type: 'Boolean! = false', values: fc.boolean(), optional: true },
    name: { type: 'String!', values: fc.constantFrom('Book', 'Work', 'nothing') },
  },
  // Apollo's executor loses the fields of a fragment on an object's own type within one on a wider type.
  leavesOut: (within, fragment) => isObjectType(within) && fragment !== within,
};
