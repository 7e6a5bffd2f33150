import { createRoute, redirect, type AnyRoute, type RouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Texts } from './language.js';
import { loadPart } from './load-part.js';
import { insideRoute } from './root.js';

export type Screen<Name extends string> = readonly [
  load: () => Promise<Readonly<Record<NoInfer<Name>, ComponentType>>>,
  name: Name,
];

/** A screen whose script is loaded when its route is entered. A script that does not come is an error of the route, and asked for again with the next try. */
export function lazyScreen<Name extends string>(...[load, name]: Screen<Name>): RouteComponent {
  let Loaded: ComponentType | undefined;
  const preload = async (): Promise<void> => {
    Loaded ??= (await loadPart(load))[name];
  };
  function LazyScreen() {
    if (Loaded === undefined) throw new Error('The script of this screen was not loaded by its route');
    return <Loaded />;
  }
  return Object.assign(LazyScreen, { preload });
}

/** Returns the routes of an area: their parent, which loads the texts, the bare address, which leads to the home, and the screens. */
export function areaRoutes(
  area: string,
  texts: Pick<Texts<unknown>, 'load'>,
  screensOf: (screen: ReturnType<typeof screensBelow>) => AnyRoute[],
): AnyRoute {
  const parent = createRoute({ getParentRoute: () => insideRoute, path: area, loader: () => texts.load() });
  const toHome = () => {
    throw redirect({ to: '/' });
  };
  const home = createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toHome });
  return parent.addChildren([home, ...screensOf(screensBelow(parent))]);
}

/** Returns a function that makes the route of a screen. Its `validateSearch` returns the parameters of an address that the screen reads. */
const screensBelow =
  (parent: AnyRoute) =>
  <Name extends string>(
    path: string,
    load: Screen<Name>[0],
    name: Name,
    validateSearch: (search: Readonly<Record<string, unknown>>) => object = () => ({}),
  ): AnyRoute =>
    createRoute({ getParentRoute: () => parent, path, validateSearch, component: lazyScreen(load, name) });
