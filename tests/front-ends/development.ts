// Apollo Client writes its warnings in development alone, and looks for it when it is imported: this file is imported before it.
Reflect.set(globalThis, '__DEV__', true);
