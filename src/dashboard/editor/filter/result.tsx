// What a filter means: in words, how many contacts match at the moment, and a few of them. Queried while one builds, after a short pause;
// an outdated query is aborted.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { ErrorNote } from '../../ui/error-note'
import { useRested } from '../../ui/rested'
import { type FilterTree, isComplete, type WholeTree } from './tree'
import { useVocabulary } from './vocabulary'
import { describeTree } from './words'

const sampleSize = 5

export function FilterResult({ value }: { value: FilterTree | undefined }) {
  const rested = useRested(value, 400)
  if (!isComplete(value))
    return <p className="text-quiet">{value ? t.filter.unfinished : t.filter.nothingYet}</p>
  return (
    <div className="space-y-3">
      <FilterWords value={value} />
      {isComplete(rested) && <Matches tree={rested} isOld={rested !== value} />}
    </div>
  )
}

/** The tree as a sentence. */
export function FilterWords({ value }: { value: FilterTree | undefined }) {
  const vocabulary = useVocabulary()
  return <p className="text-quiet wrap-anywhere">{t.filter.sentence(describeTree(value, vocabulary))}</p>
}

function Matches({ tree, isOld }: { tree: WholeTree; isOld: boolean }) {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['contacts', 'sample', tree],
    queryFn: ({ signal }) =>
      answer(api.POST('/contacts/search', { body: { filter: tree, limit: sampleSize }, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (error) return <ErrorNote error={error} onRetry={refetch} />
  if (!data) return <p className="text-quiet">{t.filter.counting}</p>
  return (
    <div className={classes('space-y-2', (isOld || isPlaceholderData) && 'opacity-60')}>
      <p className="text-lg font-semibold tabular-nums" role="status">
        {t.filter.matches(data.total)}
      </p>
      {data.total === 0 && <p className="text-quiet">{t.filter.nobody}</p>}
      {data.total > 0 && <p className="text-xs text-quiet">{t.filter.sample}</p>}
      <ul>
        {data.data.map(({ id, email }) => (
          <li key={id} className="truncate">
            <Link to="/contacts/$id" params={{ id }} className="block truncate py-1 hover:underline">
              {email}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
