// The figures that /metrics shows, kept in memory by prom-client. Each name is declared here, so this file is the list.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  readonly requests: Counter<'method' | 'route' | 'status'>
  readonly requestSeconds: Histogram<'method' | 'route'>
  /** Delivery attempts by outcome: accepted, deferred, refused. */
  readonly deliveries: Counter<'transport' | 'outcome'>
  /** Projects that were suspended, by reason. */
  readonly suspensions: Counter<'reason'>
  /** Opens and clicks by what became of them: recorded, lost, excess. */
  readonly trackingHits: Counter<'outcome'>
  /** Finished runs of jobs by kind and outcome: completed, retried, snoozed, discarded, failed. */
  readonly jobs: Counter<'kind' | 'outcome'>
  readonly jobSeconds: Histogram<'kind'>
  /** Jobs waiting to run now, by priority band. */
  readonly queueDepth: Gauge<'band'>
  /** Age in seconds of the oldest due job, by priority band. */
  readonly queueAge: Gauge<'band'>
}

const seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function makeMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'waxwing_http_requests_total',
      help: 'HTTP requests answered',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'waxwing_http_request_seconds',
      help: 'Time to answer',
      labelNames: ['method', 'route'],
      buckets: seconds,
      registers,
    }),
    deliveries: new Counter({
      name: 'waxwing_delivery_attempts_total',
      help: 'Delivery attempts by outcome',
      labelNames: ['transport', 'outcome'],
      registers,
    }),
    suspensions: new Counter({
      name: 'waxwing_project_suspensions_total',
      help: 'Projects that were suspended',
      labelNames: ['reason'],
      registers,
    }),
    trackingHits: new Counter({
      name: 'waxwing_tracking_hits_total',
      help: 'Opens and clicks that came in, people and programs alike',
      labelNames: ['outcome'],
      registers,
    }),
    jobs: new Counter({
      name: 'waxwing_jobs_total',
      help: 'Job runs by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'waxwing_job_seconds',
      help: 'Time a job ran',
      labelNames: ['kind'],
      buckets: seconds,
      registers,
    }),
    queueDepth: new Gauge({
      name: 'waxwing_queue_depth',
      help: 'Jobs that are due and not running',
      labelNames: ['band'],
      registers,
    }),
    queueAge: new Gauge({
      name: 'waxwing_queue_age_seconds',
      help: 'Age of the oldest due job',
      labelNames: ['band'],
      registers,
    }),
  }
}
