import type { RouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadPart } from './load-part.js';

/** A screen whose script is loaded when its route is entered. A script that does not come is an error of the route, and asked for again with the next try. */
export function lazyScreen<Name extends string>(
  load: () => Promise<Readonly<Record<NoInfer<Name>, ComponentType>>>,
  name: Name,
): RouteComponent {
  let Loaded: ComponentType | undefined;
  const preload = async (): Promise<void> => {
    Loaded ??= (await loadPart(load))[name];
  };
  function Screen() {
    if (Loaded === undefined) throw new Error('The script of this screen was not loaded by its route');
    return <Loaded />;
  }
  return Object.assign(Screen, { preload });
}
