// A value once it has rested for a moment: what is typed is not asked for at each letter.
import { useEffect, useState } from 'react'

export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}
