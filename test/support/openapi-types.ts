// Types of a client from the OpenAPI document on standard input, as a program that somebody generates a client with would make them.
import { plugin } from 'bun'

// The generator builds its text with the compiler's classic API, which the compiler that we check types with no longer has.
plugin({
  name: 'the classic compiler',
  setup: build =>
    void build.module('typescript', async () => {
      const compiler = await import('typescript5')
      return { exports: { ...compiler.default, default: compiler.default }, loader: 'object' }
    }),
})

const { default: openapi, astToString } = await import('openapi-typescript')
process.stdout.write(astToString(await openapi(await Bun.stdin.json(), { alphabetize: true })))
