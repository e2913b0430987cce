# A grammar with actions.
(def calculator
  (peg/compile
    ~{:space (any :s)
      :number (* :space (number (some :d)) :space)
      :factor (+ :number (* :space "(" :sum ")" :space))
      :product (/ (* :factor (any (* (<- (set "*/")) :factor))) ,(fn [first & rest]
                 (var value first)
                 (each [op x] (partition 2 rest) (set value ((if (= op "*") * /) value x)))
                 value))
      :sum (/ (* :product (any (* (<- (set "+-")) :product))) ,(fn [first & rest]
             (var value first)
             (each [op x] (partition 2 rest) (set value ((if (= op "+") + -) value x)))
             value))
      :main (* :sum -1)}))
(map |(first (peg/match calculator $)) ["1+2*3" "(1+2)*3" "10/4-1" "2*(3+(4-1))*2"])
