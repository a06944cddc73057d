// Where a thread's program is: beside the sources, or inside the executable.

/** The address of `src/<name>.ts`, which scripts/build.ts puts into the executable as a program of its own. */
export function threadProgram(name: string): URL {
  const isExecutable = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('/~BUN/')
  return new URL(isExecutable ? `./${name}.js` : `../../${name}.ts`, import.meta.url)
}
