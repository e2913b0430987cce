# Producers and a consumer over channels.
(def jobs (ev/chan 2))
(def done (ev/chan))
(ev/spawn
  (for i 0 5 (ev/give jobs i))
  (ev/give jobs :end))
(ev/spawn
  (var sum 0)
  (forever
    (def job (ev/take jobs))
    (if (= job :end) (break))
    (+= sum (* job job)))
  (ev/give done sum))
(ev/take done)
