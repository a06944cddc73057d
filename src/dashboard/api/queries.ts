// What pages read: one answer of the API, or a list that comes in pages by cursor. The key comes first, as in the cache; path and
// parameters are typed by the API's description.
import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import { answer, api, type paths } from './client'

interface Read<Answer> {
  get: { responses: { 200: { content: { 'application/json': Answer } } } }
}

/** Every path whose GET answers with JSON. */
type ReadPath = { [Path in keyof paths]: paths[Path] extends Read<unknown> ? Path : never }[keyof paths]

export type Answer<Path extends ReadPath> = paths[Path] extends Read<infer Given> ? Given : never

type Params<Path extends ReadPath> = paths[Path] extends { get: { parameters: infer Given } }
  ? Pick<Given, keyof Given & ('path' | 'query')>
  : never

export const read = <Path extends ReadPath>(
  path: Path,
  params: Params<Path>,
  signal?: AbortSignal,
): Promise<Answer<Path>> =>
  answer(api.GET(path as never, { params, signal } as never)) as Promise<Answer<Path>>

type Options<Result> = Omit<
  Parameters<typeof queryOptions<Result>>[0],
  'queryKey' | 'queryFn' | 'initialData'
>

export const readQuery = <Path extends ReadPath>(
  queryKey: QueryKey,
  path: Path,
  params: Params<Path>,
  options?: Options<Answer<Path>>,
) => queryOptions({ queryKey, queryFn: ({ signal }) => read(path, params, signal), ...options })

/** Something that is being edited is not reloaded behind the editor's back. */
export const whileEdited = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

interface CursorPage {
  cursor?: string | null
  hasMore?: boolean
}

export const cursorQuery = <Page extends CursorPage>(
  queryKey: QueryKey,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => (page.hasMore === false ? undefined : (page.cursor ?? undefined)),
  })
