// What a project sees of its standing: the figures, how they are judged, the thresholds they are judged by, and past suspensions.

import { type Static, Type } from '@sinclair/typebox'
import { answeredInstant, nullableInstant } from '../../../lib/answered'
import { oneOfWords } from '../../../lib/described'
import {
  assessReputation,
  type Counted,
  ceilings,
  healthLevels,
  type Measures,
  rateNames,
  ratePercent,
  rateRules,
} from './rules'
import type { SuspensionRow } from './schema'

const rate = Type.Object({
  total: Type.Integer({ description: 'Messages made in this time' }),
  bounces: Type.Integer({ description: 'Permanent ones' }),
  complaints: Type.Integer(),
  bounceRate: Type.Number({ description: 'Percent' }),
  complaintRate: Type.Number({ description: 'Percent' }),
})
const level = oneOfWords(healthLevels)
const limit = Type.Object({ percent: Type.Number(), count: Type.Integer() })
const window = Type.String({ description: 'twentyFourHour, sevenDay or allTime' })
const kind = Type.String({ description: 'bounces or complaints' })

const rateRule = Type.Object({ window, kind, minimumTotal: Type.Integer(), warning: limit, critical: limit })
const ceiling = Type.Object({ window, kind, warning: Type.Integer(), critical: Type.Integer() })
const suspension = Type.Object({
  reason: Type.String(),
  at: answeredInstant(),
  liftedAt: nullableInstant(),
  findings: Type.Array(Type.String()),
})

export const securityAnswer = Type.Object(
  {
    status: Type.Object({
      projectId: Type.String({ format: 'uuid' }),
      isHealthy: Type.Boolean(),
      shouldDisable: Type.Boolean(),
      twentyFourHour: rate,
      sevenDay: rate,
      allTime: rate,
      isNewProject: Type.Boolean({ description: 'Younger than 30 days, so that ceilings hold as well' }),
      violations: Type.Array(Type.String()),
      warnings: Type.Array(Type.String()),
      countedSince: nullableInstant({
        description: 'When the last suspension was lifted. The statistics start there',
      }),
    }),
    levels: Type.Record(Type.Union(rateNames.map(name => Type.Literal(name))), level),
    isDisabled: Type.Boolean(),
    disabledReason: Type.Union([Type.String(), Type.Null()]),
    thresholds: Type.Object({
      rates: Type.Record(Type.Union(rateNames.map(name => Type.Literal(name))), rateRule),
      ceilingsOfNewProjects: Type.Array(ceiling),
      disablesAutomatically: Type.Boolean({ description: 'AUTO_PROJECT_DISABLE' }),
    }),
    suspensions: Type.Array(suspension, { description: 'The latest twenty, newest first' }),
  },
  { title: 'ProjectSecurity' },
)

export type SecurityAnswer = Static<typeof securityAnswer>

interface Standing {
  project: { id: string; disabled: boolean; disabledReason: string | null; liftedAt: Date | null }
  measures: Measures
  suspensions: SuspensionRow[]
  disablesAutomatically: boolean
}

export function toSecurityAnswer(standing: Standing): SecurityAnswer {
  const { project, measures, suspensions, disablesAutomatically } = standing
  const { levels, violations, warnings } = assessReputation(measures)
  return {
    status: {
      projectId: project.id,
      isHealthy: violations.length + warnings.length === 0,
      shouldDisable: violations.length > 0,
      twentyFourHour: toRate(measures.twentyFourHour),
      sevenDay: toRate(measures.sevenDay),
      allTime: toRate(measures.allTime),
      isNewProject: measures.isNewProject,
      violations,
      warnings,
      countedSince: project.liftedAt?.toISOString() ?? null,
    },
    levels,
    isDisabled: project.disabled,
    disabledReason: project.disabledReason,
    thresholds: { rates: { ...rateRules }, ceilingsOfNewProjects: [...ceilings], disablesAutomatically },
    suspensions: suspensions.map(({ reason, at, liftedAt, findings }) => ({
      reason,
      at: at.toISOString(),
      liftedAt: liftedAt?.toISOString() ?? null,
      findings,
    })),
  }
}

function toRate({ total, bounces, complaints }: Counted): SecurityAnswer['status']['allTime'] {
  return {
    total,
    bounces,
    complaints,
    bounceRate: ratePercent(bounces, total),
    complaintRate: ratePercent(complaints, total),
  }
}
