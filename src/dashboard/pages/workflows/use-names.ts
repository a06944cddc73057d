// What is needed to describe a workflow in words: names of templates, and its trigger.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FilterTree } from '../../editor/filter/tree'
import { useVocabulary } from '../../editor/filter/vocabulary'
import { describeTree } from '../../editor/filter/words'
import { type Listed, templatesQuery, type Whole } from './data'
import { type Names, sayTrigger } from './say'

type Named = Pick<Listed, 'triggerType' | 'triggerConfig'> & Partial<Pick<Whole, 'steps'>>

export function useNames(workflow: Named): Names {
  const { data } = useQuery(templatesQuery)
  const vocabulary = useVocabulary()
  return useMemo(() => {
    const used = workflow.steps?.flatMap(({ template }) => template ?? []) ?? []
    const templates = new Map([...used, ...(data ?? [])].map(({ id, name }) => [id, name]))
    const tree = (filter: unknown): string => describeTree(filter as FilterTree, vocabulary)
    return { trigger: sayTrigger(workflow), templates, tree }
  }, [workflow, data, vocabulary])
}
